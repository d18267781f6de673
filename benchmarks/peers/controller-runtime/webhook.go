package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrlwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func init() {
	works["webhook"] = webhookWork
}

type mapRules struct{}

func (mapRules) Default(_ context.Context, object *corev1.ConfigMap) error {
	if object.Labels == nil {
		object.Labels = map[string]string{}
	}
	if _, found := object.Labels["creator"]; !found {
		object.Labels["creator"] = "benchmark"
	}
	return nil
}

// webhookWork serves a defaulter of ConfigMaps until its input ends. Arguments: PORT and the folder of tls.crt and tls.key.
func webhookWork(ctx context.Context, arguments []string) error {
	port, err := strconv.Atoi(arguments[0])
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	server := ctrlwebhook.NewServer(ctrlwebhook.Options{Host: "127.0.0.1", Port: port, CertDir: arguments[1]})
	server.Register("/mutate--v1-configmap", admission.WithDefaulter[*corev1.ConfigMap](scheme, mapRules{}))
	ctx, stop := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	fmt.Println("ready")
	return server.Start(ctx)
}
