{{- /* Generated from the operator. Changes are overwritten: use values or templates of your own. */ -}}
{{- define "sample-operator.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "sample-operator.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "sample-operator.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "sample-operator.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "sample-operator.selectorLabels" -}}
app.kubernetes.io/name: {{ include "sample-operator.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sample-operator.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "sample-operator.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "sample-operator.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "sample-operator.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- required "serviceAccount.name is required if serviceAccount.create is false" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "sample-operator.webhookService" -}}
{{- include "sample-operator.fullname" . | trunc 55 | trimSuffix "-" -}}-webhook
{{- end -}}

{{- define "sample-operator.rules" -}}
- apiGroups: [""]
  resources: ["configmaps"]
  verbs: ["get", "list", "watch", "create", "patch", "delete"]
- apiGroups: [""]
  resources: ["services"]
  verbs: ["get", "list", "watch", "create", "patch"]
- apiGroups: ["apps"]
  resources: ["deployments"]
  verbs: ["get", "list", "watch", "create", "patch"]
- apiGroups: ["apps.reconciler4j.io"]
  resources: ["webapps"]
  verbs: ["get", "list", "watch", "patch"]
- apiGroups: ["apps.reconciler4j.io"]
  resources: ["webapps/finalizers"]
  verbs: ["update"]
- apiGroups: ["apps.reconciler4j.io"]
  resources: ["webapps/status"]
  verbs: ["patch"]
- apiGroups: ["events.k8s.io"]
  resources: ["events"]
  verbs: ["create", "patch"]
{{- if $.Values.secrets.enabled }}
- apiGroups: [""]
  resources: ["secrets"]
  verbs: ["get", "list", "watch"]
{{- end }}
{{- end -}}

{{- define "sample-operator.clusterRules" -}}
{{- if $.Values.webhook.enabled }}
- apiGroups: ["admissionregistration.k8s.io"]
  resources: ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"]
  resourceNames: [{{ include "sample-operator.fullname" $ | quote }}]
  verbs: ["get", "patch"]
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  resourceNames: ["webapps.apps.reconciler4j.io"]
  verbs: ["patch"]
{{- end }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  resourceNames: ["webapps.apps.reconciler4j.io"]
  verbs: ["get"]
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions/status"]
  resourceNames: ["webapps.apps.reconciler4j.io"]
  verbs: ["patch"]
{{- end -}}
