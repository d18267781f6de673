//go:build tools

// Package tools pins Helm; dev/kubernetes builds it from here.
package tools

import _ "helm.sh/helm/v3/cmd/helm"
