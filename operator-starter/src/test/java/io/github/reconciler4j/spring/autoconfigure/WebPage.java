package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;

/** A kind for tests. */
@Group("test.reconciler4j.io")
@Version("v1")
public class WebPage extends CustomResource<Map<String, String>, Void> implements Namespaced {

    private static final long serialVersionUID = 1L;
}
