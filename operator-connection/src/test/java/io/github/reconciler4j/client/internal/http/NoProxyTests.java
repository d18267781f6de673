package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The syntax of NO_PROXY, against an oracle that follows the documented rules of Go. */
class NoProxyTests {

    private static final int CASES = Integer.getInteger("proxies.cases", 300);
    private static final long SEED = Long.getLong("proxies.seed", 1);

    private static final List<String> NAMES =
            List.of("corp.com", "com", "evilcorp.com", "a.corp.com", "b.a.corp.com", "api");
    private static final List<String> ADDRESSES =
            List.of("10.1.2.3", "10.1.2.4", "10.200.0.1", "192.168.0.1", "2001:db8::1", "2001:db8::2", "1.2.3.4");
    private static final List<Integer> PORTS = List.of(443, 6443, 80);

    @ParameterizedTest
    @CsvSource({
        "evilcorp.com, 443, corp.com, false",
        "corp.com, 443, corp.com, true",
        "a.corp.com, 443, corp.com, true",
        "A.Corp.com, 443, ' CORP.com ', true",
        "corp.com, 443, .corp.com, false",
        "a.corp.com, 443, .corp.com, true",
        "a.corp.com, 443, *.corp.com, true",
        "corp.com, 443, *.corp.com, false",
        "corp.com, 6443, corp.com:6443, true",
        "corp.com, 443, corp.com:6443, false",
        "127.0.0.1, 443, 127.0.0.1:, true",
        "10.1.2.3, 6443, 10.1.2.3:6443, true",
        "10.1.2.3, 443, 10.1.2.3:6443, false",
        "10.1.2.3, 443, 10.0.0.0/8, true",
        "11.1.2.3, 443, 10.0.0.0/8, false",
        "10.200.0.1, 443, 10.0.0.0/8, true",
        "10.1.2.3, 443, 0.0.0.0/0, true",
        "10.1.2.3, 443, 10.1.2.3/32, true",
        "10.1.2.4, 443, 10.1.2.3/32, false",
        "10.1.2.3, 443, '::ffff:10.0.0.0/104', true",
        "11.1.2.3, 443, '::ffff:10.0.0.0/104', false",
        "10.1.2.3, 443, 2.3, false",
        "2001:db8::1, 443, 2001:db8::/32, true",
        "2001:db8::1, 443, '[2001:db8::1]:443', true",
        "2001:db8::1, 443, 2001:db8::1, true",
        "any.test, 1, *, true",
        "corp.com, 443, :443, false",
        "corp.com, 443, 'corp.com/8', false",
        "10.1.2.3, 443, '10.0.0.0/33', false"
    })
    void serverWhenInTheListNeedsNoProxy(String host, int port, String entry, boolean expected) {
        assertThat(NoProxy.of(List.of("first.test", "", entry)).matches(host, port))
                .isEqualTo(expected);
    }

    @Test
    void listWhenDrawnMeansWhatItMeansToGo() {
        Random random = new Random(SEED);
        int matches = 0;
        for (int i = 0; i < CASES; i++) {
            List<String> list = new ArrayList<>();
            for (int n = random.nextInt(4); n >= 0; n--) {
                list.add(entry(random));
            }
            String host = random.nextBoolean() ? pick(random, NAMES) : pick(random, ADDRESSES);
            int port = pick(random, PORTS);
            boolean expected = list.stream().anyMatch(entry -> Oracle.matches(entry, host, port));
            matches += expected ? 1 : 0;
            assertThat(NoProxy.of(list).matches(host, port))
                    .as("seed %d, case %d: %s in %s", SEED, i, host + ":" + port, list)
                    .isEqualTo(expected);
        }
        assertThat(matches).as("drawn hosts in their lists").isBetween(CASES / 20, CASES * 19 / 20);
    }

    private static <T> T pick(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static String entry(Random random) {
        String entry = switch (random.nextInt(9)) {
            case 0, 1 -> pick(random, NAMES);
            case 2 -> "." + pick(random, NAMES);
            case 3 -> "*." + pick(random, NAMES);
            case 4, 5 -> pick(random, ADDRESSES);
            case 6 -> network(random);
            case 7 -> pick(random, List.of("", "/", ":", "[", "*x", "10.1.2", "300.1.2.3", "a b", "2001:db8"));
            default -> random.nextInt(10) == 0 ? "*" : "orp.com";
        };
        if (random.nextInt(4) == 0 && !entry.contains("/")) {
            entry = (entry.contains("::") ? "[" + entry + "]" : entry) + ":" + (random.nextBoolean() ? "443" : "6443");
        }
        entry = random.nextInt(4) == 0 ? entry.toUpperCase() : entry;
        return random.nextInt(4) == 0 ? " " + entry + " " : entry;
    }

    private static String network(Random random) {
        String address = pick(random, ADDRESSES);
        return address + "/" + random.nextInt(address.contains(":") ? 129 : 33);
    }

    /** The rules as the documentation of Go's httpproxy states them, by strings of bits. */
    private static final class Oracle {

        static boolean matches(String entry, String host, int port) {
            String text = entry.trim().toLowerCase();
            if (text.equals("*")) {
                return true;
            }
            boolean isAddress = ADDRESSES.contains(host);
            int slash = text.indexOf('/');
            if (slash > 0 && ADDRESSES.contains(text.substring(0, slash))) {
                int bits = Integer.parseInt(text.substring(slash + 1));
                String own = bits(text.substring(0, slash));
                String other = isAddress ? bits(host) : "";
                return own.length() == other.length() && own.substring(0, bits).equals(other.substring(0, bits));
            }
            String bare = text;
            for (int known : new int[] {443, 6443}) {
                if (text.endsWith(":" + known)) {
                    bare = text.substring(0, text.length() - (":" + known).length());
                    if (known != port) {
                        return false;
                    }
                }
            }
            if (bare.startsWith("[") && bare.endsWith("]")) {
                bare = bare.substring(1, bare.length() - 1);
            }
            if (isAddress) {
                return bare.equals(host);
            }
            if (bare.startsWith("*.")) {
                bare = bare.substring(1);
            }
            return bare.startsWith(".") ? host.endsWith(bare) : !bare.isEmpty() && ("." + host).endsWith("." + bare);
        }

        private static String bits(String address) {
            StringBuilder bits = new StringBuilder();
            if (address.contains(":")) {
                String[] halves = address.split("::");
                String groups = "0".repeat(0);
                int written = halves[0].split(":").length + halves[1].split(":").length;
                for (String group : halves[0].split(":")) {
                    groups += group(group);
                }
                groups += "0".repeat(16 * (8 - written));
                for (String group : halves[1].split(":")) {
                    groups += group(group);
                }
                return groups;
            }
            for (String octet : address.split("\\.")) {
                String binary = Integer.toBinaryString(Integer.parseInt(octet));
                bits.append("0".repeat(8 - binary.length())).append(binary);
            }
            return bits.toString();
        }

        private static String group(String hex) {
            String binary = Integer.toBinaryString(Integer.parseInt(hex, 16));
            return "0".repeat(16 - binary.length()) + binary;
        }
    }
}
