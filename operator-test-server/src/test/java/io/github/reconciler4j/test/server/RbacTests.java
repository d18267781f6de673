package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RbacTests {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

    private KubernetesServer server;
    private HttpUser user;
    private String bob;

    @BeforeEach
    void startServer() {
        server = KubernetesServer.builder().https(false).rbac(true).start();
        user = new HttpUser(server.url());
        bob = server.addUser("bob", "team");
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    private HttpUser.Reply asBob(String method, String path, String body) throws IOException {
        return user.send(method, path, body, "Authorization", "Bearer " + bob, "Content-Type", "application/json");
    }

    private void allowReading(String kindOfSubject, String name) throws IOException {
        user.post(RBAC + "/namespaces/default/roles", """
                {"metadata":{"name":"reader"},
                 "rules":[{"verbs":["get","list"],"apiGroups":[""],"resources":["configmaps"]}]}""");
        HttpUser.Reply reply = user.post(RBAC + "/namespaces/default/rolebindings", """
                {"metadata":{"name":"reader"},
                 "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"reader"},
                 "subjects":[{"kind":"%s","name":"%s","namespace":"default"}]}""".formatted(kindOfSubject, name));
        assertThat(reply.status()).isEqualTo(201);
    }

    @Test
    void requestWhenNoRightAnswersForbiddenWithTheServersSentence() throws IOException {
        HttpUser.Reply reply = asBob("GET", MAPS + "/one", null);

        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.message())
                .isEqualTo(
                        "configmaps \"one\" is forbidden: User \"bob\" cannot get resource \"configmaps\" in API group"
                                + " \"\" in the namespace \"default\"");
    }

    @Test
    void requestWhenBoundByUserIsAllowed() throws IOException {
        allowReading("User", "bob");

        assertThat(asBob("GET", MAPS, null).status()).isEqualTo(200);
        assertThat(asBob("POST", MAPS, "{\"metadata\":{\"name\":\"one\"}}").status())
                .isEqualTo(403);
    }

    @Test
    void requestWhenBoundByGroupIsAllowed() throws IOException {
        allowReading("Group", "team");

        assertThat(asBob("GET", MAPS, null).status()).isEqualTo(200);
    }

    @Test
    void reviewWhenAskedTellsOwnRights() throws IOException {
        allowReading("User", "bob");

        assertThat(allowed("get")).isTrue();
        assertThat(allowed("delete")).isFalse();
    }

    private boolean allowed(String verb) throws IOException {
        HttpUser.Reply reply = asBob("POST", REVIEWS, """
                {"spec":{"resourceAttributes":{"namespace":"default","verb":"%s","resource":"configmaps"}}}""".formatted(verb));
        assertThat(reply.status()).isEqualTo(201);
        return reply.body().at("/status/allowed").asBoolean();
    }

    @Test
    void tokenWhenRequestedForAServiceAccountIsOneOfItsOwn() throws IOException {
        allowReading("ServiceAccount", "robot");
        user.post("/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"robot\"}}");
        HttpUser.Reply token = user.post("/api/v1/namespaces/default/serviceaccounts/robot/token", "{\"spec\":{}}");
        bob = token.body().at("/status/token").asText();

        assertThat(token.status()).isEqualTo(201);
        assertThat(asBob("GET", MAPS, null).status()).isEqualTo(200);
        HttpUser.Reply review =
                user.post("/apis/authentication.k8s.io/v1/tokenreviews", "{\"spec\":{\"token\":\"" + bob + "\"}}");
        assertThat(review.body().at("/status/user/username").asText()).isEqualTo("system:serviceaccount:default:robot");
    }

    @Test
    void requestWhenImpersonatingHasTheOthersRights() throws IOException {
        HttpUser.Reply reply = user.send("GET", MAPS, null, "Impersonate-User", "alice");

        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.message()).contains("User \"alice\" cannot list");
    }

    private HttpUser.Reply asBobFor(String who) throws IOException {
        return user.send("GET", MAPS, null, "Authorization", "Bearer " + bob, "Impersonate-User", who);
    }

    private void allowImpersonation(String resource, String name, String namespace) throws IOException {
        String rule = "{\"verbs\":[\"impersonate\"],\"apiGroups\":[\"\"],\"resources\":[\"" + resource
                + "\"],\"resourceNames\":[\"" + name + "\"]}";
        String where = namespace.isEmpty() ? "" : "/namespaces/" + namespace;
        String kind = namespace.isEmpty() ? "ClusterRole" : "Role";
        user.post(
                RBAC + where + "/" + kind.toLowerCase(Locale.ROOT) + "s",
                "{\"metadata\":{\"name\":\"speaker\"},\"rules\":[" + rule + "]}");
        user.post(RBAC + where + "/" + kind.toLowerCase(Locale.ROOT) + "bindings", """
                {"metadata":{"name":"speaker"},
                 "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"%s","name":"speaker"},
                 "subjects":[{"kind":"User","name":"bob"}]}""".formatted(kind));
    }

    @Test
    void requestWhenTheSenderMayNotImpersonateIsForbidden() throws IOException {
        assertThat(asBobFor("alice").message())
                .isEqualTo(
                        "users \"alice\" is forbidden: User \"bob\" cannot impersonate resource \"users\" in API group \"\" at"
                                + " the cluster scope");
        assertThat(asBobFor("system:serviceaccount:default:robot").message())
                .isEqualTo("serviceaccounts \"robot\" is forbidden: User \"bob\" cannot impersonate resource"
                        + " \"serviceaccounts\" in API group \"\" in the namespace \"default\"");
    }

    @Test
    void requestWhenTheSenderMayImpersonateOneAccountHasTheRightsOfItsGroups() throws IOException {
        allowReading("Group", "system:serviceaccounts:default");
        allowImpersonation("serviceaccounts", "robot", "default");

        assertThat(asBobFor("system:serviceaccount:default:robot").status()).isEqualTo(200);
        assertThat(asBobFor("system:serviceaccount:default:other").status()).isEqualTo(403);
        assertThat(asBobFor("system:serviceaccount:kube-system:robot").status()).isEqualTo(403);
        assertThat(asBobFor("robot").status()).isEqualTo(403);
    }

    @Test
    void requestWhenTheSenderMayImpersonateOneUserHasItsRights() throws IOException {
        allowReading("User", "alice");
        allowImpersonation("users", "alice", "");

        assertThat(asBobFor("alice").status()).isEqualTo(200);
        assertThat(user.send(
                                "GET",
                                MAPS,
                                null,
                                "Authorization",
                                "Bearer " + bob,
                                "Impersonate-User",
                                "alice",
                                "Impersonate-Group",
                                "team")
                        .message())
                .contains("User \"bob\" cannot impersonate resource \"groups\"");
    }
}
