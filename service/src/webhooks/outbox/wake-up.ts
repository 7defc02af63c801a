/**
 * The channel on which processes wake each other: tasks have ended, or deliveries are due. Its messages name the accounts whose
 * tasks ended, or nobody: then each process polls. A wake-up may be lost, since every process polls as well.
 */
export const wakeUpChannel = "querent_notices";
