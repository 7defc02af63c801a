import type { CallOptions, Transport } from "./transport.ts";
import type {
  MovedToProject,
  ProjectChange,
  ProjectList,
  ProjectMove,
  ProjectRecord,
  ProjectRequest,
  ReportLooks,
  ReportLooksChange,
} from "./wire.ts";

/** Where something is listed or created: the id or the name of a project. */
export interface InProject {
  readonly project?: string | undefined;
}

/** Panels and brands that belong together, such as those of one client. */
export class Projects {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The default project first, the others by name. */
  async list(options: CallOptions = {}): Promise<ProjectRecord[]> {
    const call = { ...options, method: "GET", path: "/v1/projects", repeat: "always" } as const;
    return (await this.#transport.json<ProjectList>(call)).body.projects;
  }

  /** Fails with a conflict if there is a project of the same name. */
  async create(project: ProjectRequest, options: CallOptions = {}): Promise<ProjectRecord> {
    const body = JSON.stringify(project);
    const call = { ...options, method: "POST", path: "/v1/projects", body, repeat: "refused" } as const;
    return (await this.#transport.json<ProjectRecord>(call)).body;
  }

  /** Renames, archives or restores a project. */
  async change(projectId: string, change: ProjectChange, options: CallOptions = {}): Promise<ProjectRecord> {
    const body = JSON.stringify(change);
    const call = { ...options, method: "PUT", path: pathOf(projectId), body, repeat: "always" } as const;
    return (await this.#transport.json<ProjectRecord>(call)).body;
  }

  /** By whose name, logo and colour the reports of a project are known. */
  async looks(projectId: string, options: CallOptions = {}): Promise<ReportLooks> {
    const call = { ...options, method: "GET", path: `${pathOf(projectId)}/looks`, repeat: "always" } as const;
    return (await this.#transport.json<ReportLooks>(call)).body;
  }

  /** Replaces them; what is left out is removed. */
  async putLooks(projectId: string, looks: ReportLooksChange, options: CallOptions = {}): Promise<ReportLooks> {
    const body = JSON.stringify(looks);
    const call = { ...options, method: "PUT", path: `${pathOf(projectId)}/looks`, body, repeat: "always" } as const;
    return (await this.#transport.json<ReportLooks>(call)).body;
  }

  /** Deletes a project that is empty. */
  async delete(projectId: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ ...options, method: "DELETE", path: pathOf(projectId), repeat: "refused" });
  }

  /** Moves panels, with their brands and all that belongs to them, and other brands. */
  async move(projectId: string, what: ProjectMove, options: CallOptions = {}): Promise<MovedToProject> {
    const path = `${pathOf(projectId)}/contents`;
    const call = { ...options, method: "POST", path, body: JSON.stringify(what), repeat: "always" } as const;
    return (await this.#transport.json<MovedToProject>(call)).body;
  }
}

const pathOf = (projectId: string) => `/v1/projects/${encodeURIComponent(projectId)}`;
