package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.ArrayList;
import java.util.List;

@Group("examples.reconciler4j.io")
@Version("v1")
public class Bucket extends CustomResource<Void, Bucket.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    protected Status initStatus() {
        return new Status();
    }

    public static class Status {

        private List<Condition> conditions = new ArrayList<>();

        public List<Condition> getConditions() {
            return conditions;
        }

        public void setConditions(List<Condition> conditions) {
            this.conditions = conditions;
        }
    }
}
