export type HttpEvent =
  | {
      readonly event: "http.request";
      readonly requestId: string;
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly ms: number;
    }
  | { readonly event: "http.fault"; readonly requestId: string; readonly error: unknown };
