package io.github.reconciler4j.generator.training;

import io.github.reconciler4j.generator.GeneratorException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program {@code java} and what it can keep for later starts. Immutable. */
final class JavaProgram {

    private static final int OLDEST = 17;
    /** The first version that writes an AOT cache in one step. */
    private static final int AOT_CACHE = 25;

    private static final Pattern VERSION = Pattern.compile("java\\.specification\\.version = (\\d+)");
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private final Path program;
    private final int version;

    private JavaProgram(Path program, int version) {
        this.program = program;
        this.version = version;
    }

    /**
     * Ask a program for its version.
     *
     * @throws GeneratorException if it is no Java or too old
     */
    static JavaProgram of(Path program) {
        try (ObservedProcess process = ObservedProcess.start(
                List.of(program.toString(), "-XshowSettings:properties", "-version"), Path.of(""), List.of())) {
            process.awaitEnd("Java prints its version", ANSWER, message -> {});
            Matcher version = VERSION.matcher(process.log());
            if (!version.find()) {
                throw new GeneratorException(program + " is not a Java that prints its version (-XshowSettings)");
            }
            int feature = Integer.parseInt(version.group(1));
            if (feature < OLDEST) {
                throw new GeneratorException(program + " has version " + feature
                        + ". A cache for later starts needs Java " + OLDEST + " or newer");
            }
            return new JavaProgram(program, feature);
        }
    }

    Path program() {
        return program;
    }

    /** Return the name of the file in which this Java keeps what it has loaded. */
    String cacheFile() {
        return version >= AOT_CACHE ? "application.aot" : "application.jsa";
    }

    /** Return the option that writes the cache when the process ends. */
    String writing(Path cache) {
        return (version >= AOT_CACHE ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + cache;
    }

    /** Return the option that uses the cache. */
    String using(Path cache) {
        return (version >= AOT_CACHE ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + cache;
    }

    /** Return options that use the cache, or end the process if it does not fit. */
    List<String> requiring(Path cache) {
        List<String> options = new ArrayList<>(List.of(using(cache)));
        options.add(version >= AOT_CACHE ? "-XX:AOTMode=on" : "-Xshare:on");
        return options;
    }

    @Override
    public String toString() {
        return program + " (" + version + ")";
    }
}
