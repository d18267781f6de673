package io.github.reconciler4j.sample;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
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

    @Required
    @Size(min = 1, max = 1024)
    @PrinterColumn(name = "Image", priority = 1)
    @JsonPropertyDescription("Container image to run.")
    private String image = "";

    @SpecReplicas
    @Default("1")
    @Min(0)
    @Max(100)
    @PrinterColumn(name = "Desired")
    @JsonPropertyDescription("Number of pods to run. Defaults to 1.")
    private Integer replicas = 1;

    @Default("8080")
    @Min(1)
    @Max(65535)
    @JsonPropertyDescription("Port on which the application listens. Defaults to 8080.")
    private Integer port = 8080;

    @JsonPropertyDescription("Environment variables by name.")
    private Map<String, String> environment = new LinkedHashMap<>();

    @JsonPropertyDescription("Configuration files by name, mounted below /etc/webapp.")
    private Map<String, String> files = new LinkedHashMap<>();

    @Size(min = 1, max = 253)
    @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
    @JsonPropertyDescription("Name of a Secret in the same namespace whose entries become environment variables.")
    private @Nullable String secretName;

    @Size(min = 1, max = 253)
    @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
    @JsonPropertyDescription(
            "Host name under which the application is reached from outside, for the URL in the status.")
    private @Nullable String host;

    /** Create a spec with the defaults and no image. */
    public WebAppSpec() {}

    /** Return the container image. */
    public String getImage() {
        return image;
    }

    /** Set the container image. */
    public void setImage(String image) {
        this.image = image;
    }

    /** Return the number of pods to run, 1 by default. */
    public Integer getReplicas() {
        return replicas;
    }

    /** Set the number of pods to run. */
    public void setReplicas(Integer replicas) {
        this.replicas = replicas;
    }

    /** Return the port the application listens on, 8080 by default. */
    public Integer getPort() {
        return port;
    }

    /** Set the port the application listens on. */
    public void setPort(Integer port) {
        this.port = port;
    }

    /** Return the environment variables by name. */
    public Map<String, String> getEnvironment() {
        return environment;
    }

    /** Set the environment variables. */
    public void setEnvironment(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Return the configuration files by name. */
    public Map<String, String> getFiles() {
        return files;
    }

    /** Set the configuration files. */
    public void setFiles(Map<String, String> files) {
        this.files = files;
    }

    /** Return the Secret whose entries become environment variables, null for none. */
    public @Nullable String getSecretName() {
        return secretName;
    }

    /** Set the Secret whose entries become environment variables. */
    public void setSecretName(@Nullable String secretName) {
        this.secretName = secretName;
    }

    /** Return the host name for the URL in the status, null for the cluster-internal one. */
    public @Nullable String getHost() {
        return host;
    }

    /** Set the host name for the URL in the status. */
    public void setHost(@Nullable String host) {
        this.host = host;
    }
}
