import { PodMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor";
import { ScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { Job } from "kubernetes-models/batch/v1/Job";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { PersistentVolumeClaim } from "kubernetes-models/v1/PersistentVolumeClaim";
import { Pod as PodModel, type IPod } from "kubernetes-models/v1/Pod";
import { Secret } from "kubernetes-models/v1/Secret";
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount";
import { Service } from "kubernetes-models/v1/Service";

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: Readonly<Record<string, unknown>> & { readonly template?: unknown };
}

export type Pod = Required<Pick<IPod, "spec">> & IPod;

const models: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  "apps/v1 Deployment": Deployment,
  "autoscaling/v2 HorizontalPodAutoscaler": HorizontalPodAutoscaler,
  "batch/v1 Job": Job,
  "keda.sh/v1alpha1 ScaledObject": ScaledObject,
  "monitoring.coreos.com/v1 PodMonitor": PodMonitor,
  "networking.k8s.io/v1 Ingress": Ingress,
  "networking.k8s.io/v1 NetworkPolicy": NetworkPolicy,
  "policy/v1 PodDisruptionBudget": PodDisruptionBudget,
  "v1 ConfigMap": ConfigMap,
  "v1 PersistentVolumeClaim": PersistentVolumeClaim,
  "v1 Pod": PodModel,
  "v1 Secret": Secret,
  "v1 Service": Service,
  "v1 ServiceAccount": ServiceAccount,
};

/** What the schemas of Kubernetes have against an object: empty if it is valid. An unknown kind is a fault, too. */
export function validateObject(object: KubernetesObject): string[] {
  const Model = models[`${object.apiVersion} ${object.kind}`];
  if (Model === undefined) return [`there is no schema for ${object.apiVersion} ${object.kind}`];
  try {
    // The model's own types are what the validation checks.
    new Model(object as never).validate();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
