package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

@Group("examples.reconciler4j.io")
@Version("v1")
public class Page extends CustomResource<String, Void> implements Namespaced {

    private static final long serialVersionUID = 1L;

    static Page of(String name, String text) {
        Page page = new Page();
        page.setMetadata(
                new ObjectMetaBuilder().withNamespace("pages").withName(name).build());
        page.setSpec(text);
        return page;
    }
}
