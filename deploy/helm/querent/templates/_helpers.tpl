{{- define "querent.name" -}}
{{- if contains "querent" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-querent" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "querent.selector" -}}
app.kubernetes.io/name: querent
app.kubernetes.io/instance: {{ .Release.Name }}
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
      name: {{ .Values.database.secretName }}
      key: {{ .Values.database.secretKey }}
{{- if .Values.database.directSecretKey }}
- name: QUERENT_DATABASE_DIRECT_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.secretName }}
      key: {{ .Values.database.directSecretKey }}
{{- end }}
{{- if .Values.database.readSecretKey }}
- name: QUERENT_DATABASE_READ_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.secretName }}
      key: {{ .Values.database.readSecretKey }}
{{- end }}
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
      name: {{ .Values.secretName }}
      key: master-key
- name: QUERENT_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
- name: QUERENT_DRAIN_SECONDS
  value: {{ .Values.drainSeconds | quote }}
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
- name: QUERENT_ARTIFACTS_S3_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ .secretName }}
      key: access-key-id
- name: QUERENT_ARTIFACTS_S3_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .secretName }}
      key: secret-access-key
{{- end }}
{{- end }}
{{- with .Values.env }}
{{ toYaml . }}
{{- end }}
{{- end }}
