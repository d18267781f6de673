package io.github.reconciler4j.cache;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The division of all objects into numbered parts, and the parts that a process holds, such as shards. A hash of its
 * {@link PartitionKey} says to which part an object belongs, and a divided cache contains the objects of the parts that it
 * holds; see {@link Cache#changePartition}. Immutable.
 *
 * <p>The hash is FNV-1a with 64 bits, and each part is an equal part of its range, so that API servers with shard selectors
 * (alpha since Kubernetes 1.36, feature gate {@code ShardedListAndWatch}) send the objects of the held parts only. Other API
 * servers send all objects, and the cache drops the others as they arrive.
 *
 * <p>The hash of namespaces has one more step, because FNV-1a returns similar values for names that differ at the end only,
 * such as {@code team-1} and {@code team-2}: they would be in the same part. API servers cannot evaluate that step; see
 * {@link #withServerNamespaces} and {@link #withEvenNamespaces}.
 *
 * <!-- snippet: CacheSettings -->
 * <pre>{@code
 * return CacheOptions.defaults().withPartition(Partition.of(2, Set.of(0)));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class Partition {

    private static final Partition ALL = new Partition(1, Set.of(0), false, List.of());

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final int count;
    private final BitSet held = new BitSet();
    private final boolean serverNamespaces;
    private final List<Long> namespaceBorders;

    private Partition(int count, Set<Integer> held, boolean serverNamespaces, List<Long> namespaceBorders) {
        if (count < 1) {
            throw new IllegalArgumentException("'count' must be at least 1, was " + count);
        }
        for (int part : held) {
            if (part < 0 || part >= count) {
                throw new IllegalArgumentException(
                        "'held' must contain numbers from 0 to below 'count', was " + part + " of " + count);
            }
            this.held.set(part);
        }
        this.count = count;
        this.serverNamespaces = serverNamespaces;
        this.namespaceBorders = List.copyOf(namespaceBorders);
    }

    /** Return the only part of an operator that is not divided. */
    public static Partition all() {
        return ALL;
    }

    /**
     * Return some of the parts.
     *
     * @param count the number of all parts, at least 1; the same in all processes
     * @param held the numbers of the held parts, from 0 to below the count; may be empty
     * @throws IllegalArgumentException if a number is out of range
     */
    public static Partition of(int count, Set<Integer> held) {
        return new Partition(count, held, false, List.of());
    }

    /** Return the number of all parts. */
    public int count() {
        return count;
    }

    /** Return the numbers of the held parts, in order. */
    public Set<Integer> held() {
        Set<Integer> numbers = new TreeSet<>();
        held.stream().forEach(numbers::add);
        return Collections.unmodifiableSet(numbers);
    }

    /** Return whether a part is held. */
    public boolean isHeld(int part) {
        return part >= 0 && held.get(part);
    }

    /** Return whether there is one part only, so that nothing is divided. */
    public boolean isUndivided() {
        return count == 1;
    }

    /** Return whether namespaces are hashed as the API server does; false by default. */
    public boolean serverNamespaces() {
        return serverNamespaces;
    }

    /**
     * Return a copy of this that holds other parts of the same number of parts.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public Partition withHeld(Set<Integer> numbers) {
        return new Partition(count, numbers, serverNamespaces, namespaceBorders);
    }

    /**
     * Return a copy of this that hashes namespaces as the API server does, or not. The API server then sends only objects of
     * the namespaces of the held parts, if it supports shard selectors. The parts are equal parts of the range of hashes, so they
     * can be of very different size: most namespaces whose names differ in the last three characters only are in the same part.
     * {@link #withEvenNamespaces} changes that. Must be the same in all processes.
     */
    public Partition withServerNamespaces(boolean newServerNamespaces) {
        return new Partition(count, held(), newServerNamespaces, List.of());
    }

    /**
     * Return a copy of this that hashes namespaces as the API server does, with borders of parts that divide the given namespaces
     * evenly. All processes must have the same borders, so one of them computes these and the others get them with {@link
     * #withNamespaceBorders}. The replicas of a divided operator do that.
     *
     * @param namespaces the namespaces that exist; others belong to a part as well. With fewer namespaces than parts, the other
     *     parts are about equal parts of the range of hashes.
     */
    public Partition withEvenNamespaces(Collection<String> namespaces) {
        List<Long> hashes = namespaces.stream().distinct().map(Partition::hash).toList();
        Stream<Long> parts =
                IntStream.range(0, hashes.size() < count ? count : 0).mapToObj(this::lowestOfPart);
        List<Long> sorted = Stream.concat(hashes.stream(), parts)
                .distinct()
                .sorted(Long::compareUnsigned)
                .toList();
        return withNamespaceBorders(IntStream.range(1, count)
                .mapToObj(part -> sorted.get((int) ((long) part * sorted.size() / count)))
                .toList());
    }

    /**
     * Return a copy of this that hashes namespaces as the API server does, with the given borders of parts. Must be the same in all
     * processes.
     *
     * @param borders the lowest hash of each part but the first, as an unsigned number; each larger than the one before
     * @throws IllegalArgumentException if their number is not that of the parts less one, or if they do not ascend
     */
    public Partition withNamespaceBorders(List<Long> borders) {
        boolean ascend = IntStream.range(0, borders.size())
                .allMatch(i -> Long.compareUnsigned(i == 0 ? 0 : borders.get(i - 1), borders.get(i)) < 0);
        if (borders.size() != count - 1 || !ascend) {
            throw new IllegalArgumentException(
                    "'borders' must be " + (count - 1) + " ascending numbers, were " + borders.size());
        }
        return new Partition(count, held(), true, borders);
    }

    /** Return the lowest hash of each part of namespaces but the first; empty if the parts are equal parts of the range of hashes. */
    public List<Long> namespaceBorders() {
        return namespaceBorders;
    }

    /** Return the lowest hash of the namespaces of a part, as an unsigned number. */
    public long lowestHash(int part) {
        return part == 0 || namespaceBorders.isEmpty() ? lowestOfPart(part) : namespaceBorders.get(part - 1);
    }

    /** Return the part of the objects of a namespace. */
    public int ofNamespace(String namespace) {
        long hash = hash(namespace);
        if (namespaceBorders.isEmpty()) {
            return ofHash(serverNamespaces ? hash : mixed(hash));
        }
        int found = Collections.binarySearch(namespaceBorders, hash, Long::compareUnsigned);
        return found < 0 ? -found - 1 : found + 1;
    }

    /** Return the part of the object with a uid, and of those that belong to it. */
    public int ofUid(String uid) {
        return ofHash(hash(uid));
    }

    /** Return the part of the range of hashes: the upper 64 bits of the product with the count. */
    private int ofHash(long hash) {
        long high = Math.multiplyHigh(hash, count);
        return (int) (hash < 0 ? high + count : high); // multiplyHigh takes the hash for a negative number
    }

    /** Return the lowest hash of one of the equal parts of the range of hashes. */
    private long lowestOfPart(int part) {
        BigInteger[] lowest = BigInteger.ONE
                .shiftLeft(Long.SIZE)
                .multiply(BigInteger.valueOf(part))
                .divideAndRemainder(BigInteger.valueOf(count));
        return lowest[0].add(BigInteger.valueOf(lowest[1].signum())).longValue();
    }

    /** Return the FNV-1a hash with 64 bits, as the API server computes it. */
    private static long hash(String text) {
        long hash = FNV_OFFSET;
        for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ next & 0xff) * FNV_PRIME;
        }
        return hash;
    }

    /** Return a hash whose upper bits depend on all bits of another one, by the finalizer of MurmurHash3. */
    private static long mixed(long hash) {
        long once = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        long twice = (once ^ once >>> 33) * 0xc4ceb9fe1a85ec53L;
        return twice ^ twice >>> 33;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Partition that
                && count == that.count
                && serverNamespaces == that.serverNamespaces
                && namespaceBorders.equals(that.namespaceBorders)
                && held.equals(that.held);
    }

    @Override
    public int hashCode() {
        return 31 * count + held.hashCode();
    }

    /** Return the held parts, for instance {@code parts [0, 3] of 4}. */
    @Override
    public String toString() {
        return "parts " + held() + " of " + count;
    }
}
