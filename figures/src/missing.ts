/** From this share of missing answers on, what they could change is stated beside the interval, and the grade of a report falls. */
export const missingToBound = 0.02;
