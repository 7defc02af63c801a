/** A part of the process that has to be started and stopped. */
export interface Service {
  start(): void | Promise<void>;
  /** Resolves when it has stopped completely. Safe to call before `start`, and more than once. */
  stop(): Promise<void>;
}

/** Services that depend on those before them: started in the order in which they were added, stopped in the reverse order. */
export class ServiceStack implements Service {
  readonly #services: Service[] = [];
  #started: Service[] = [];
  #stopping: Promise<void> | undefined;

  add<Added extends Service>(service: Added): Added {
    this.#services.push(service);
    return service;
  }

  /** If a start fails, or the stack is stopped meanwhile, everything that has started is stopped again. */
  async start(): Promise<void> {
    try {
      for (const service of this.#services) {
        if (this.#stopping !== undefined) throw new Error("The services were stopped while they started.");
        // Before its start, because a service that has started partially must also be stopped.
        this.#started.push(service);
        await service.start();
      }
    } catch (error) {
      await this.stop().catch((stopError: unknown) => {
        throw new AggregateError([error, stopError], "A service could not be started, nor the others stopped.", {
          cause: error,
        });
      });
      throw error;
    }
  }

  /** Stops every service, even if others fail, and then throws the errors. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    const errors: unknown[] = [];
    for (let service = this.#started.pop(); service !== undefined; service = this.#started.pop()) {
      try {
        await service.stop();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, "Several services could not be stopped.");
  }
}

/** A service that needs no start but must be closed. */
export function closing(close: () => Promise<unknown>): Service {
  return {
    start: () => undefined,
    stop: async () => {
      await close();
    },
  };
}
