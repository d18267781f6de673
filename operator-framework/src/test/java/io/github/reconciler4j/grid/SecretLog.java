package io.github.reconciler4j.grid;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Keeps what the framework logs away from the console, and collects the lines that show content of objects. */
final class SecretLog implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.reconciler4j");
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getFormattedMessage().contains(Verb.SECRET) || shows(event.getThrowableProxy())) {
                lines.add(event.getFormattedMessage());
            }
        }
    };

    private static boolean shows(@Nullable IThrowableProxy failure) {
        return failure != null
                && (String.valueOf(failure.getMessage()).contains(Verb.SECRET) || shows(failure.getCause()));
    }

    static SecretLog open() {
        SecretLog log = new SecretLog();
        log.appender.setContext(log.logger.getLoggerContext());
        log.appender.start();
        log.logger.addAppender(log.appender);
        log.logger.setAdditive(false);
        log.logger.setLevel(Level.INFO);
        return log;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(null);
    }
}
