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
public class Shop extends CustomResource<Shop.Spec, Shop.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    protected Spec initSpec() {
        return new Spec();
    }

    @Override
    protected Status initStatus() {
        return new Status();
    }

    public static class Spec {

        private String image = "";
        private boolean ingressEnabled;
        private List<String> services = new ArrayList<>();

        public String getImage() {
            return image;
        }

        public void setImage(String image) {
            this.image = image;
        }

        public boolean isIngressEnabled() {
            return ingressEnabled;
        }

        public void setIngressEnabled(boolean ingressEnabled) {
            this.ingressEnabled = ingressEnabled;
        }

        public List<String> getServices() {
            return services;
        }

        public void setServices(List<String> services) {
            this.services = services;
        }
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
