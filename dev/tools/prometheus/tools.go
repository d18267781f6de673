//go:build tools

// Package tools pins Prometheus; dev/prometheus builds it from here.
package tools

import (
	_ "github.com/prometheus/prometheus/cmd/prometheus"
	_ "github.com/prometheus/prometheus/cmd/promtool"
)
