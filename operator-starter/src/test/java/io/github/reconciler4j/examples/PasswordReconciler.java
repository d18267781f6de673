package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Reconciler;
import java.util.UUID;

@Reconciler(
        name = "passwords",
        owns = Secret.class,
        permissions =
                @Permission(
                        resources = "secrets",
                        verbs = {"get", "create"}))
class PasswordReconciler implements ObjectReconciler<Bucket> {

    private final Client client;

    PasswordReconciler(Client client) {
        this.client = client;
    }

    @Override
    public Result reconcile(Bucket bucket, ReconcileContext context) {
        ObjectKey key = ObjectKey.of(
                bucket.getMetadata().getNamespace(), bucket.getMetadata().getName() + "-password");
        if (!client.exists(Kind.of(Secret.class), key)) {
            client.create(password(bucket, key));
        }
        return Result.done();
    }

    private static Secret password(Bucket bucket, ObjectKey key) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(key.name())
                .endMetadata()
                .addToStringData("password", UUID.randomUUID().toString())
                .build();
        OwnerReferences.setController(secret, bucket);
        return secret;
    }
}
