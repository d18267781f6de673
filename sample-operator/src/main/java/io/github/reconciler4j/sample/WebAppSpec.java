package io.github.reconciler4j.sample;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a {@link WebApp}.
 *
 * @since 0.1.0
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public class WebAppSpec {

    /** Container image to run. */
    @Required
    @Size(min = 1, max = 1024)
    @PrinterColumn(name = "Image", priority = 1)
    private String image = "";

    /** Number of pods to run. Defaults to 1. */
    @SpecReplicas
    @Default("1")
    @Min(0)
    @Max(100)
    @PrinterColumn(name = "Desired")
    private Integer replicas = 1;

    /** Port on which the application listens. Defaults to 8080. */
    @Default("8080")
    @Min(1)
    @Max(65535)
    private Integer port = 8080;

    /** Environment variables by name. */
    private Map<String, String> environment = new LinkedHashMap<>();

    /** Configuration files by name, mounted below /etc/webapp. */
    private Map<String, String> files = new LinkedHashMap<>();

    /** Name of a Secret in the same namespace whose entries become environment variables. */
    @Size(min = 1, max = 253)
    @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
    private @Nullable String secretName;

    /** Host name under which the application is reached from outside, for the URL in the status. */
    @Size(min = 1, max = 253)
    @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
    private @Nullable String host;

    /** Creates a spec with the defaults and no image. */
    public WebAppSpec() {}

    /** The container image. */
    public String getImage() {
        return image;
    }

    /** Sets the container image. */
    public void setImage(String image) {
        this.image = image;
    }

    /** How many pods to run, 1 by default. */
    public Integer getReplicas() {
        return replicas;
    }

    /** Sets how many pods to run. */
    public void setReplicas(Integer replicas) {
        this.replicas = replicas;
    }

    /** The port the application listens on, 8080 by default. */
    public Integer getPort() {
        return port;
    }

    /** Sets the port the application listens on. */
    public void setPort(Integer port) {
        this.port = port;
    }

    /** Environment variables by name. */
    public Map<String, String> getEnvironment() {
        return environment;
    }

    /** Sets the environment variables. */
    public void setEnvironment(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Configuration files by name. */
    public Map<String, String> getFiles() {
        return files;
    }

    /** Sets the configuration files. */
    public void setFiles(Map<String, String> files) {
        this.files = files;
    }

    /** The Secret whose entries become environment variables, null for none. */
    public @Nullable String getSecretName() {
        return secretName;
    }

    /** Sets the Secret whose entries become environment variables. */
    public void setSecretName(@Nullable String secretName) {
        this.secretName = secretName;
    }

    /** The host name for the URL in the status, null for the cluster-internal one. */
    public @Nullable String getHost() {
        return host;
    }

    /** Sets the host name for the URL in the status. */
    public void setHost(@Nullable String host) {
        this.host = host;
    }
}
