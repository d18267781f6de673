import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.instrument.ClassFileTransformer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Runs tests while their threads are delayed at random lines of the framework and of the tests, as a busy machine delays them, and
 * prints the failures with the delays before them. {@code dev/delays} starts it.
 *
 * <p>Each test has a seed, which chooses the lines, the time at each, and whose threads: the one of the test, the others, or all. A
 * line delays twice at most, and a thread half a second in all, so nothing that waits for ten seconds fails because of it. A thread
 * is in the state {@code TIMED_WAITING} while it is delayed.
 */
public final class Delays {

    private static final int[] DENSITIES = {2, 6, 20, 60};
    private static final int[] MILLIS = {0, 2, 15, 60};
    private static final int NOTABLE_MILLIS = 10;
    private static final int MAX_MILLIS = 500;
    private static final int MAX_PER_LINE = 2;
    private static final int MAX_LINES = 500_000;
    private static final long HUNG_SECONDS = 600;
    private static final String PACKAGE = "io/github/reconciler4j/";

    private static final List<String> LINES = Collections.synchronizedList(new ArrayList<>());
    private static volatile Plan plan;

    private final PrintStream out = System.out;
    private final Launcher launcher = LauncherFactory.create();
    private int ran;
    private int failed;

    /** Whose threads are delayed. */
    private enum Victims {
        TEST,
        OTHERS,
        ALL
    }

    /** The delays of one test. */
    private static final class Plan {

        private final long seed;
        private final Victims victims;
        private final int density;
        private final Thread test = Thread.currentThread();
        private final long start = System.nanoTime();
        /** How often each line has delayed; races make no difference. */
        private final byte[] used = new byte[MAX_LINES];

        private final Map<Thread, int[]> spent = new ConcurrentHashMap<>();
        private final List<String> journal = Collections.synchronizedList(new ArrayList<>());

        Plan(long seed) {
            this.seed = seed;
            Random random = new Random(seed);
            victims = Victims.values()[random.nextInt(Victims.values().length)];
            density = DENSITIES[random.nextInt(DENSITIES.length)];
        }

        void reach(int line) {
            if (line >= MAX_LINES || used[line] >= MAX_PER_LINE) {
                return;
            }
            Thread thread = Thread.currentThread();
            if (victims != Victims.ALL && (thread == test) != (victims == Victims.TEST)) {
                return;
            }
            Random random = new Random(seed + 31L * LINES.get(line).hashCode());
            if (random.nextInt(density) > 0) {
                used[line] = MAX_PER_LINE;
                return;
            }
            used[line]++;
            delay(thread, line, MILLIS[random.nextInt(MILLIS.length)]);
        }

        private void delay(Thread thread, int line, int millis) {
            int[] sum = spent.computeIfAbsent(thread, any -> new int[1]);
            if (sum[0] + millis > MAX_MILLIS) {
                return;
            }
            sum[0] += millis;
            if (millis >= NOTABLE_MILLIS) {
                journal.add("%6d ms: %s for %d ms at %s"
                        .formatted(millisSince(start), thread.getName(), millis, LINES.get(line)));
            }
            boolean interrupted = Thread.interrupted();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            Thread.yield();
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                thread.interrupt();
            }
        }
    }

    /**
     * Run tests.
     *
     * @param args the folder of test classes, the tests, how often to run them, and the first seed
     */
    public static void main(String[] args) throws Exception {
        List<String> names = names(Path.of(args[0]), args[1]);
        ByteBuddyAgent.install().addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(
                    ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] original) {
                return old == null && name != null && name.startsWith(PACKAGE) ? marked(original) : null;
            }
        });
        Delays delays = new Delays();
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(System.out);
        long seed = Long.parseLong(args[3]);
        for (int round = 0; round < Integer.parseInt(args[2]); round++) {
            for (String name : names) {
                delays.run(name, seed + round);
            }
            delays.out.printf(
                    "Seed %d: %d runs of the tests of %d classes so far, %d failures%n",
                    seed + round, delays.ran, names.size(), delays.failed);
        }
        System.exit(delays.failed == 0 ? 0 : 1); // threads of tests that hang may remain
    }

    /** Return the names of the test classes in a folder that match one of the patterns and none of those after a minus. */
    private static List<String> names(Path folder, String patterns) throws IOException {
        Map<Boolean, String> parts = Stream.of(patterns.split(","))
                .collect(Collectors.partitioningBy(
                        each -> each.startsWith("-"), Collectors.mapping(Delays::regex, Collectors.joining("|"))));
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> folder.relativize(file).toString())
                    .filter(file -> file.endsWith("Tests.class") && !file.contains("$"))
                    .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> name.matches(parts.get(false)) && !name.matches(parts.get(true)))
                    .sorted()
                    .toList();
        }
    }

    private static String regex(String pattern) {
        String name = pattern.replaceFirst("^-", "");
        return "io\\.github\\.reconciler4j\\." + name.replace(".", "\\.").replace("*", ".*");
    }

    private static long millisSince(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /** Called by marked classes. */
    public static void reach(int line) {
        Plan now = plan;
        if (now != null) {
            now.reach(line);
        }
    }

    /** Return the code of a class that calls {@link #reach} before each line and at the end of each method. */
    private static byte[] marked(byte[] original) {
        ClassNode type = new ClassNode();
        new ClassReader(original).accept(type, 0);
        for (MethodNode method : type.methods) {
            for (AbstractInsnNode node : method.instructions.toArray()) {
                boolean end = node.getOpcode() >= Opcodes.IRETURN && node.getOpcode() <= Opcodes.RETURN;
                if (end || node instanceof LineNumberNode) {
                    String line = node instanceof LineNumberNode number ? "line " + number.line : "the end";
                    mark(method, node, type.name.substring(PACKAGE.length()) + "." + method.name + ", " + line);
                }
            }
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        type.accept(writer);
        return writer.toByteArray();
    }

    private static void mark(MethodNode method, AbstractInsnNode node, String line) {
        AbstractInsnNode first = node;
        while (first.getOpcode() < 0) { // a frame belongs to the label before it
            first = first.getNext();
        }
        InsnList call = new InsnList();
        synchronized (LINES) {
            call.add(new LdcInsnNode(LINES.size()));
            LINES.add(line);
        }
        call.add(new MethodInsnNode(Opcodes.INVOKESTATIC, Delays.class.getName(), "reach", "(I)V"));
        if (first.getOpcode() == Opcodes.NEW) { // a frame can refer to the place of this instruction
            method.instructions.insert(first, call);
        } else {
            method.instructions.insertBefore(first, call);
        }
    }

    /** Run the tests of a class. */
    private void run(String name, long seed) throws Exception {
        Thread thread = new Thread(
                () -> launcher.execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(name))
                                .build(),
                        new Listener(name, seed)),
                "main");
        thread.start();
        thread.join(TimeUnit.SECONDS.toMillis(HUNG_SECONDS));
        if (thread.isAlive()) {
            failed++;
            out.printf("%n%s is still running after %d seconds%n", name, HUNG_SECONDS);
            Thread.getAllStackTraces().forEach((each, frames) -> {
                out.println(each);
                Stream.of(frames).forEach(frame -> out.println("\tat " + frame));
            });
            thread.interrupt();
        }
    }

    private final class Listener implements TestExecutionListener {

        private final String name;
        private final long seed;

        Listener(String name, long seed) {
            this.name = name;
            this.seed = seed;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            plan = new Plan(seed * 1_000_003 + test.getUniqueId().hashCode());
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            Plan passed = plan;
            plan = null;
            ran += test.isTest() ? 1 : 0;
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                failed++;
                out.printf("%n%s %s, seed %d, delays of %s%n", name, test.getDisplayName(), seed, passed.victims);
                StringWriter trace = new StringWriter();
                result.getThrowable().ifPresent(e -> e.printStackTrace(new PrintWriter(trace)));
                trace.toString().lines().filter(line -> !line.contains("org.junit.")).forEach(out::println);
                List.copyOf(passed.journal).forEach(out::println);
            }
        }
    }
}
