
{{- define "@name@.webhookService" -}}
{{- include "@name@.fullname" . | trunc 55 | trimSuffix "-" -}}-webhook
{{- end -}}
