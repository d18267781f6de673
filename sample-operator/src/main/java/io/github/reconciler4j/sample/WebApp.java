package io.github.reconciler4j.sample;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A web application: an image, the number of its pods and its configuration.
 *
 * @since 0.1.0
 */
@Group(WebApp.GROUP)
@Version(WebApp.VERSION)
@Kind("WebApp")
@Singular("webapp")
@Plural("webapps")
@ShortNames("wa")
@Categories("all")
@AdditionalPrinterColumn(
        name = "Ready",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
        type = Type.STRING)
@AdditionalPrinterColumn(
        name = "Reason",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
        type = Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
public class WebApp extends CustomResource<WebAppSpec, WebAppStatus> implements Namespaced {

    /** The API group. */
    public static final String GROUP = "apps.reconciler4j.io";

    /** The API version. */
    public static final String VERSION = "v1";

    private static final long serialVersionUID = 1L;

    /** Create an object without name, spec and status. */
    public WebApp() {}
}
