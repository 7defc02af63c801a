{{- define "querent.name" -}}
{{- if contains "querent" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-querent" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "querent.selector" -}}
app.kubernetes.io/name: querent
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "querent.labels" -}}
{{ include "querent.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "querent.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "querent.claim" -}}
{{ .Values.artifacts.volume.existingClaim | default (printf "%s-data" (include "querent.name" .)) }}
{{- end }}

{{/*
A value that Kubernetes takes as text only. YAML reads 30, true and on as numbers and booleans, and Go prints a large number as 1e+07,
which JSON does not.
*/}}
{{- define "querent.text" -}}
{{ kindIs "string" . | ternary . (toJson .) | toJson }}
{{- end }}

{{/* A map of such values. */}}
{{- define "querent.texts" -}}
{{- range $name, $value := . }}
{{ toJson $name }}: {{ include "querent.text" $value }}
{{- end }}
{{- end }}

{{/* Variables of a container, each on a line of its own after the first, which is empty. */}}
{{- define "querent.variables" -}}
{{- range . }}
- name: {{ toJson .name }}
  {{- if hasKey . "valueFrom" }}
  valueFrom: {{ toJson .valueFrom }}
  {{- else }}
  value: {{ include "querent.text" (hasKey . "value" | ternary .value "") }}
  {{- end }}
{{- end }}
{{- end }}

{{/* What a container requests, and its limits. */}}
{{- define "querent.resources" -}}
{{- range $part, $amounts := . }}
{{- if eq $part "claims" }}
claims: {{ toJson $amounts }}
{{- else if $amounts }}
{{ $part }}:
  {{- include "querent.texts" $amounts | indent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{- define "querent.tolerations" -}}
{{- range . }}
- { {{ range $name, $value := . }}{{ $name }}: {{ if eq $name "value" }}{{ include "querent.text" $value }}{{ else }}{{ toJson $value }}{{ end }}, {{ end }} }
{{- end }}
{{- end }}

{{/* The security settings of every pod and container. */}}
{{- define "querent.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
{{- end }}

{{- define "querent.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* The database. */}}
{{- define "querent.database" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.secretName | quote }}
      key: {{ .Values.database.secretKey | quote }}
{{- if .Values.database.directSecretKey }}
- name: QUERENT_DATABASE_DIRECT_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.secretName | quote }}
      key: {{ .Values.database.directSecretKey | quote }}
{{- end }}
{{- if .Values.database.readSecretKey }}
- name: QUERENT_DATABASE_READ_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.secretName | quote }}
      key: {{ .Values.database.readSecretKey | quote }}
{{- end }}
{{- if .Values.database.caSecretName }}
- name: QUERENT_DATABASE_CA
  value: /etc/querent-database/ca.crt
{{- end }}
{{- end }}

{{/* The volume of the database's authority, and where it is mounted. */}}
{{- define "querent.databaseMount" -}}
{{- if .Values.database.caSecretName }}
- name: database-ca
  mountPath: /etc/querent-database
  readOnly: true
{{- end }}
{{- end }}
{{- define "querent.databaseVolume" -}}
{{- if .Values.database.caSecretName }}
- name: database-ca
  secret:
    secretName: {{ .Values.database.caSecretName | quote }}
    items:
      - key: {{ .Values.database.caSecretKey | quote }}
        path: ca.crt
{{- end }}
{{- end }}

{{/* The name of the pods' service account; empty for the namespace's own. */}}
{{- define "querent.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "querent.name" .) "" .Values.serviceAccount.create) }}
{{- end }}

{{/* The variables that every process needs. */}}
{{- define "querent.env" -}}
{{ include "querent.database" . }}
{{- if .Values.migrations.enabled }}
# The Job migrates.
- name: QUERENT_MIGRATE
  value: wait
{{- end }}
{{- with .Values.database.connections }}
- name: QUERENT_DATABASE_CONNECTIONS
  value: {{ . | quote }}
{{- end }}
- name: QUERENT_MASTER_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .Values.secretName | quote }}
      key: master-key
- name: QUERENT_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
- name: QUERENT_DRAIN_SECONDS
  value: {{ .Values.drainSeconds | quote }}
{{- with .Values.trustedProxies }}
- name: QUERENT_TRUSTED_PROXIES
  value: {{ . | quote }}
{{- end }}
{{- if .Values.platforms }}
- name: QUERENT_CONFIG
  value: /etc/querent/platforms.yaml
{{- end }}
{{- with .Values.artifacts.s3 }}
{{- if .bucket }}
- name: QUERENT_ARTIFACTS_S3_BUCKET
  value: {{ .bucket | quote }}
{{- if .endpoint }}
- name: QUERENT_ARTIFACTS_S3_ENDPOINT
  value: {{ .endpoint | quote }}
{{- end }}
- name: QUERENT_ARTIFACTS_S3_REGION
  value: {{ .region | quote }}
- name: QUERENT_ARTIFACTS_S3_PREFIX
  value: {{ .prefix | quote }}
{{- if eq .credentials "role" }}
- name: QUERENT_ARTIFACTS_S3_CREDENTIALS
  value: role
{{- else }}
- name: QUERENT_ARTIFACTS_S3_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ .secretName | quote }}
      key: access-key-id
- name: QUERENT_ARTIFACTS_S3_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .secretName | quote }}
      key: secret-access-key
{{- end }}
{{- end }}
{{- end }}
{{- include "querent.variables" .Values.env }}
{{- end }}
