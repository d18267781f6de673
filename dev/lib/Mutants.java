import java.io.IOException;
import java.io.PrintStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
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
import org.pitest.bytecode.analysis.ClassTree;
import org.pitest.classinfo.ClassByteArraySource;
import org.pitest.classinfo.ClassName;
import org.pitest.classpath.ClassFilter;
import org.pitest.classpath.ClassPath;
import org.pitest.classpath.ClassPathByteArraySource;
import org.pitest.classpath.ClassloaderByteArraySource;
import org.pitest.classpath.CodeSource;
import org.pitest.classpath.PathFilter;
import org.pitest.classpath.ProjectClassPaths;
import org.pitest.coverage.NoCoverage;
import org.pitest.mutationtest.EngineArguments;
import org.pitest.mutationtest.build.MutationInterceptor;
import org.pitest.mutationtest.config.PluginServices;
import org.pitest.mutationtest.config.ReportOptions;
import org.pitest.mutationtest.config.SettingsFactory;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.MutationDetails;
import org.pitest.mutationtest.incremental.NullHistory;

/**
 * Runs mutants of pitest in one JVM, also those that block a test. {@code dev/mutate} starts it.
 *
 * <p>The classes of the module and its tests are loaded by a loader of their own, a {@link World}. First each test runs once, to
 * see which lines it reaches and how long it takes. Then each mutant replaces the code of its class, and the tests that reach
 * its line run until one fails. A test that takes much longer than before is interrupted and counts as blocked, after it has
 * passed without the mutant. When a mutant has left threads, the next one gets a new world.
 */
public final class Mutants {

    private static final long INTERRUPTED_MILLIS = 1_000;

    /** The lines of each class that were reached. */
    private static final Map<String, BitSet> REACHED = new ConcurrentHashMap<>();

    private final Instrumentation instrumentation = ByteBuddyAgent.install();
    private final List<Path> folders;
    private final long limitMillis;
    private final PrintStream report;
    private final List<String> tests;
    private final Map<String, byte[]> originals = new TreeMap<>();
    private final Map<Test, Run> runs = new LinkedHashMap<>();
    private final Map<Test, Integer> kills = new HashMap<>();
    private World world;
    private int threadsLeft;

    private enum Outcome {
        KILLED,
        BLOCKED,
        SURVIVED,
        UNREACHED
    }

    /** A method of a test class, with all its invocations. */
    private record Test(String id, String name) {

        String engine() {
            return UniqueId.parse(id).getEngineId().orElseThrow();
        }
    }

    /** What a test did without a mutant. */
    private record Run(long millis, Map<String, BitSet> lines) {}

    private record Mutant(MutationDetails details, byte[] bytes) {

        String key() {
            return details.getClassName().asJavaName().replaceAll(".*\\.", "") + "." + details.getMethod() + ":"
                    + details.getLineNumber() + " " + details.getDescription() + " #" + details.getFirstIndex();
        }
    }

    private Mutants(List<Path> folders, long limitMillis, PrintStream report, List<String> tests) {
        this.folders = folders;
        this.limitMillis = limitMillis;
        this.report = report;
        this.tests = tests;
    }

    /**
     * Run mutants.
     *
     * @param args the folders of classes and of test classes, the classes, the tests, the file of the report, the time limit of
     *     a test in seconds, and "again" to run only the mutants that have survived according to the report
     */
    public static void main(String[] args) throws Exception {
        List<Path> folders = List.of(Path.of(args[0]), Path.of(args[1]));
        Path file = Path.of(args[4]);
        boolean again = args.length > 6 && args[6].equals("again");
        Set<String> survivors = again ? survivors(file) : Set.of();
        List<String> names = names(folders.get(0), args[2]);
        try (PrintStream report = new PrintStream(Files.newOutputStream(file), true)) {
            Mutants mutants =
                    new Mutants(folders, Long.parseLong(args[5]) * 1000, report, names(folders.get(1), args[3]));
            List<Mutant> wanted = mutants.find(names);
            wanted.removeIf(mutant -> again && !survivors.contains(mutant.key()));
            mutants.run(wanted);
        }
        System.exit(0); // threads of blocked tests may remain
    }

    private static Set<String> survivors(Path report) throws IOException {
        try (Stream<String> lines = Files.lines(report)) {
            return lines.filter(line -> line.startsWith("SURVIVED ") || line.startsWith("UNREACHED "))
                    .map(line -> line.substring(line.indexOf(' ') + 1).trim())
                    .collect(Collectors.toSet());
        }
    }

    /** Return the names of the classes in a folder that match one of the patterns and none of those after a minus. */
    private static List<String> names(Path folder, String patterns) throws IOException {
        Map<Boolean, String> parts = Stream.of(patterns.split(","))
                .collect(Collectors.partitioningBy(
                        each -> each.startsWith("-"), Collectors.mapping(Mutants::regex, Collectors.joining("|"))));
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> folder.relativize(file).toString())
                    .filter(file -> file.endsWith(".class"))
                    .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
                    .filter(name -> name.replaceAll("\\$.*", "").matches(parts.get(false)))
                    .filter(name -> !name.replaceAll("\\$.*", "").matches(parts.get(true)))
                    .sorted()
                    .toList();
        }
    }

    private static String regex(String pattern) {
        String name = pattern.replaceFirst("^-", "");
        return "io\\.github\\.reconciler4j\\." + name.replace(".", "\\.").replace("*", ".*");
    }

    /** Return the mutants that pitest makes with its defaults. */
    private List<Mutant> find(List<String> names) throws IOException {
        ReportOptions options = new ReportOptions();
        options.setLoggingClasses(ReportOptions.LOGGING_CLASSES);
        options.setDetectInlinedCode(true);
        SettingsFactory settings = new SettingsFactory(options, PluginServices.makeForContextLoader());
        ClassPath path = new ClassPath(List.of(folders.get(0).toFile()));
        CodeSource code = settings.createCodeSource(new ProjectClassPaths(
                path, new ClassFilter(name -> false, name -> true), new PathFilter(root -> true, root -> false)));
        ClassByteArraySource own = new ClassPathByteArraySource(path);
        ClassByteArraySource others = ClassloaderByteArraySource.fromContext();
        ClassByteArraySource source = name -> own.getBytes(name).or(() -> others.getBytes(name));
        MutationInterceptor filter = settings.getInterceptor()
                .createInterceptor(options, new NoCoverage(), source, null, code, new NullHistory());
        filter.initialise(code);
        Mutater mutater = settings.createEngine()
                .createEngine(EngineArguments.arguments())
                .createMutator(source);
        List<Mutant> mutants = new ArrayList<>();
        for (String name : names) {
            byte[] original = source.getBytes(name).orElseThrow();
            originals.put(name, original);
            filter.begin(ClassTree.fromBytes(original));
            Collection<MutationDetails> found =
                    filter.intercept(mutater.findMutations(ClassName.fromString(name)), mutater);
            filter.end();
            for (MutationDetails details : found) {
                mutants.add(
                        new Mutant(details, mutater.getMutation(details.getId()).getBytes()));
            }
        }
        mutants.sort(Comparator.comparing(
                        (Mutant mutant) -> mutant.details().getClassName().asJavaName())
                .thenComparing(mutant -> mutant.details().getLineNumber()));
        return mutants;
    }

    private void run(List<Mutant> mutants) throws Exception {
        world = new World(folders, Map.of());
        measureTests();
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        for (Mutant mutant : mutants) {
            String killer = "";
            Outcome outcome = Outcome.UNREACHED;
            long start = System.nanoTime();
            for (Test test : reaching(mutant)) {
                outcome = run(mutant, test);
                if (outcome != Outcome.SURVIVED) {
                    killer = " by " + test.name();
                    kills.merge(test, 1, Integer::sum);
                    break;
                }
            }
            counts.merge(outcome, 1, Integer::sum);
            report.println(outcome + " " + mutant.key());
            System.out.printf("%-9s %s%s (%d ms)%n", outcome, mutant.key(), killer, millisSince(start));
        }
        String summary = mutants.size() + " mutants: " + counts;
        report.println(summary);
        System.out.println(summary);
    }

    /** Run each test once without a mutant, and note the lines of the classes that it reaches. */
    private void measureTests() throws Exception {
        for (Map.Entry<String, byte[]> original : originals.entrySet()) {
            world.replace(instrumentation, original.getKey(), marked(original.getKey(), original.getValue()));
        }
        for (String name : tests) {
            for (Test test : world.tests(name)) {
                REACHED.clear();
                long start = System.nanoTime();
                Outcome outcome = world.run(test, 60_000);
                if (outcome != Outcome.SURVIVED) {
                    System.out.println("Left out, because it fails without a mutant: " + test.name());
                } else if (!REACHED.isEmpty()) {
                    runs.put(test, new Run(millisSince(start), Map.copyOf(REACHED)));
                }
                threadsLeft = Math.max(threadsLeft, world.threads().size());
            }
        }
        System.out.printf(
                "%d tests reach the classes, in %d ms%n",
                runs.size(), runs.values().stream().mapToLong(Run::millis).sum());
        renewWorld();
    }

    /** Return the tests that reach the line of a mutant: first those that have noticed most mutants, then the fastest. */
    private List<Test> reaching(Mutant mutant) {
        String type = mutant.details().getClassName().asJavaName();
        int line = mutant.details().getLineNumber();
        return runs.keySet().stream()
                .filter(test ->
                        runs.get(test).lines().getOrDefault(type, new BitSet()).get(line))
                .sorted(Comparator.comparing((Test test) -> -kills.getOrDefault(test, 0))
                        .thenComparing(test -> runs.get(test).millis()))
                .toList();
    }

    private Outcome run(Mutant mutant, Test test) throws Exception {
        String type = mutant.details().getClassName().asJavaName();
        long limit = limitMillis + 2 * runs.get(test).millis();
        boolean replaced = world.replace(instrumentation, type, mutant.bytes());
        if (!replaced) { // as in a record with annotated components
            world.end();
            world = new World(folders, Map.of(type, mutant.bytes()));
        }
        Outcome outcome = world.run(test, limit);
        if (outcome == Outcome.BLOCKED) {
            renewWorld();
            if (world.run(test, limit) != Outcome.SURVIVED) {
                System.out.println("Fails without the mutant, too: " + test.name());
                renewWorld();
                return Outcome.SURVIVED;
            }
        } else if (!replaced || world.threads().size() > threadsLeft) {
            renewWorld();
        } else {
            world.replace(instrumentation, type, originals.get(type));
        }
        return outcome;
    }

    private void renewWorld() throws Exception {
        world.end();
        world = new World(folders, Map.of());
    }

    private static long millisSince(long start) {
        return (System.nanoTime() - start) / 1_000_000;
    }

    /** Called by marked classes. */
    public static void reach(String type, int line) {
        synchronized (REACHED) {
            REACHED.computeIfAbsent(type, any -> new BitSet()).set(line);
        }
    }

    /** Return the code of a class that calls {@link #reach} before each line. */
    private static byte[] marked(String name, byte[] original) {
        ClassNode type = new ClassNode();
        ClassReader reader = new ClassReader(original);
        reader.accept(type, 0);
        for (MethodNode method : type.methods) {
            for (AbstractInsnNode node : method.instructions.toArray()) {
                if (node instanceof LineNumberNode line) {
                    AbstractInsnNode first = node;
                    while (first.getOpcode() < 0) { // a frame belongs to the label before it
                        first = first.getNext();
                    }
                    InsnList call = new InsnList();
                    call.add(new LdcInsnNode(name));
                    call.add(new LdcInsnNode(line.line));
                    call.add(new MethodInsnNode(
                            Opcodes.INVOKESTATIC, Mutants.class.getName(), "reach", "(Ljava/lang/String;I)V"));
                    if (first.getOpcode() == Opcodes.NEW) { // a frame can refer to the place of this instruction
                        method.instructions.insert(first, call);
                    } else {
                        method.instructions.insertBefore(first, call);
                    }
                }
            }
        }
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS); // another constant pool can crash the JVM
        type.accept(writer);
        return writer.toByteArray();
    }

    /** The classes of the module and of its tests, loaded once, with what runs them. */
    private static final class World {

        private final URLClassLoader loader;
        private final Launcher launcher;

        World(List<Path> folders, Map<String, byte[]> others) throws IOException {
            URL[] urls = {folders.get(0).toUri().toURL(), folders.get(1).toUri().toURL()};
            loader = new URLClassLoader(urls, Mutants.class.getClassLoader()) {
                @Override
                protected Class<?> findClass(String name) throws ClassNotFoundException {
                    byte[] other = others.get(name);
                    return other == null ? super.findClass(name) : defineClass(name, other, 0, other.length);
                }
            };
            launcher = LauncherFactory.create();
        }

        /** Return the test methods of a class, or the class itself if its methods are known only when it runs. */
        List<Test> tests(String type) throws ClassNotFoundException {
            Thread.currentThread().setContextClassLoader(loader);
            List<Test> tests = new ArrayList<>();
            TestPlan plan = launcher.discover(LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectClass(Class.forName(type, false, loader)))
                    .build());
            plan.accept(new TestPlan.Visitor() {
                @Override
                public void visit(TestIdentifier test) {
                    boolean whole = test.getSource()
                                    .filter(ClassSource.class::isInstance)
                                    .isPresent()
                            && plan.getChildren(test).isEmpty();
                    if (whole
                            || test.getSource()
                                    .filter(MethodSource.class::isInstance)
                                    .isPresent()) {
                        String name = type.replaceAll(".*\\.", "") + "." + test.getDisplayName();
                        tests.add(new Test(test.getUniqueId(), name));
                    }
                }
            });
            return tests;
        }

        /** Return whether the JVM replaces the code of a class that it has loaded. */
        boolean replace(Instrumentation instrumentation, String type, byte[] code) throws Exception {
            try {
                instrumentation.redefineClasses(new ClassDefinition(Class.forName(type, false, loader), code));
                return true;
            } catch (UnsupportedOperationException e) {
                return false;
            }
        }

        /** Run a test on a thread of its own; SURVIVED if it passes. */
        Outcome run(Test test, long limitMillis) throws InterruptedException {
            AtomicBoolean failed = new AtomicBoolean();
            TestExecutionListener listener = new TestExecutionListener() {
                @Override
                public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
                    if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                        failed.set(true);
                    }
                }
            };
            Thread thread = new Thread(() -> launcher.execute(
                    LauncherDiscoveryRequestBuilder.request()
                            .selectors(DiscoverySelectors.selectUniqueId(test.id()))
                            .filters(EngineFilter.includeEngines(test.engine()))
                            .build(),
                    listener));
            thread.setContextClassLoader(loader);
            thread.start();
            thread.join(limitMillis);
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(INTERRUPTED_MILLIS);
                return Outcome.BLOCKED;
            }
            return failed.get() ? Outcome.KILLED : Outcome.SURVIVED;
        }

        /** Return the threads that the tests have left. */
        List<Thread> threads() {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getContextClassLoader() == loader && thread != Thread.currentThread())
                    .toList();
        }

        /** End what can be ended: threads that loop without end would take the processor from all later tests. */
        @SuppressWarnings({"deprecation", "removal"})
        void end() throws InterruptedException {
            for (Thread thread : threads()) {
                thread.interrupt();
                thread.join(100);
                if (thread.isAlive()) {
                    thread.stop();
                }
            }
        }
    }
}
