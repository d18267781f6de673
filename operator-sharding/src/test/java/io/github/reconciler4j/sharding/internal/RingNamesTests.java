package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.sharding.ShardingOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Names of Leases for identities of all kinds. */
class RingNamesTests {

    /** What Kubernetes accepts as the name of a Lease: a DNS subdomain. */
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private final RingNames names = new RingNames(ShardingOptions.named("r".repeat(63)), "");
    private final Map<String, String> identities = new HashMap<>();

    /** Checks the name of the Lease of an identity, which none before must have. */
    private void check(String identity) {
        ShardingOptions.named("ring").withIdentity(identity);
        String name = names.replica(identity);
        assertThat(name).hasSizeLessThanOrEqualTo(253).matches(SUBDOMAIN);
        String other = identities.putIfAbsent(name, identity);
        assertThat(other == null || other.equals(identity))
                .as("%s is the Lease of %s and of %s", name, other, identity)
                .isTrue();
    }

    private static boolean isAccepted(int codePoint) {
        int type = Character.getType(codePoint);
        return type != Character.CONTROL && type != Character.SURROGATE;
    }

    @Test
    void replicaWhenTheIdentityHasAnyCharacterIsAValidNameOfItsOwn() {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint += codePoint < 0x20000 ? 1 : 61) {
            String character = Character.toString(codePoint);
            if (isAccepted(codePoint)) {
                check(character);
                if (codePoint % 16 == 0 || codePoint < 0x250) {
                    check("pod" + character + "0");
                }
            } else {
                assertThatThrownBy(() -> ShardingOptions.named("ring").withIdentity("pod" + character))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'identity' must have at most 1024 characters");
            }
        }
    }

    @Test
    void replicaWhenTheIdentityHasRandomCharactersOfAllPlanesIsAValidNameOfItsOwn() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            StringBuilder identity = new StringBuilder();
            for (int length = random.nextInt(i % 100 == 0 ? 500 : 12); length >= 0; length--) {
                int plane = random.nextInt(3) == 0 ? random.nextInt(17) : 0;
                int codePoint = (plane << 16) + random.nextInt(random.nextBoolean() ? 0x80 : 0x10000);
                identity.appendCodePoint(isAccepted(codePoint) ? codePoint : '-');
            }
            check(identity.toString());
        }
    }

    @Test
    void replicaWhenIdentitiesLookAlikeHasDifferentNames() {
        check("pod-0");
        check("POD-0");
        check("pod/0");
        check("pod_0");
        check("pod.0");
        check("pod-0-");
        check("-pod-0");
        check("\u0410\u00e0"); // has the hash code of the next one
        check("\u040f\u00ff");
        check("x".repeat(151));
        check("x".repeat(152));
        check("x".repeat(1023) + "y");
        check("x".repeat(1024));
        List.copyOf(identities.keySet()).forEach(name -> check(name.substring(name.indexOf("-replica-") + 9)));
        assertThat(names.replica("pod-0")).endsWith("-replica-pod-0");
        assertThatThrownBy(() -> ShardingOptions.named("ring").withIdentity("x".repeat(1025)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void layoutWhenKeysDifferDiffers() {
        ShardingOptions options = ShardingOptions.named("ring");
        String layout = new RingNames(options, "a").layout();
        assertThat(layout).matches("16-by_namespace-[0-9a-f]{8}");
        assertThat(new RingNames(options, "a").layout()).isEqualTo(layout);
        assertThat(new RingNames(options, "b").layout()).isNotEqualTo(layout);
        assertThat(new RingNames(options.withShards(17), "a").layout()).isNotEqualTo(layout);
    }
}
