package io.ballast.server.host;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.ballast.config.LogConfig;
import org.slf4j.LoggerFactory;

/**
 * Sets up the log of the process: one line per event, key=value or JSON, to stderr, because stdout belongs to
 * the commands.
 *
 * <p>The setup is in code and not in {@code logback.xml}, because parsing XML took a fifth of the start time.
 * A file named by {@code -Dlogback.configurationFile}, or a {@code logback-test.xml} of tests, takes
 * precedence over this setup.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {

    private static final String APPENDER = "stderr";
    private static final String ROOT_PACKAGE = "io.ballast";

    /** The constructor for {@link java.util.ServiceLoader}, which Logback uses to find this class. */
    public LogSetup() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null
                || LogSetup.class.getResource("/logback-test.xml") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        install(context);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Installs the default logging, which {@link #apply} later replaces. */
    public static void install(LoggerContext context) {
        LogLines lines = new LogLines();
        lines.setContext(context);
        lines.start();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setName(APPENDER);
        stderr.setTarget(ConsoleTarget.SystemErr.getName());
        stderr.setEncoder(lines);
        stderr.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(stderr);
        // This class logs one line at INFO for each protocol error of a client. We count the errors instead.
        context.getLogger("io.netty.handler.codec.http2").setLevel(Level.ERROR);
        // This library logs each attempt of an election, several times a second while a cluster has no majority.
        context.getLogger("io.microraft").setLevel(Level.ERROR);
        // These classes log every answer with an invalid signature.
        context.getLogger("org.xbill.DNS.dnssec").setLevel(Level.OFF);
        context.getLogger("org.xbill.DNS.Message").setLevel(Level.OFF);
        apply(LogConfig.DEFAULT, context);
    }

    /** Applies the log configuration, unless a Logback file is used. Any thread may call it. */
    public static void apply(LogConfig config) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            apply(config, context);
        }
    }

    public static void apply(LogConfig config, LoggerContext context) {
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        Appender<ILoggingEvent> appender = root.getAppender(APPENDER);
        if (appender instanceof ConsoleAppender<ILoggingEvent> stderr
                && stderr.getEncoder() instanceof LogLines lines) {
            lines.format(config.format());
            Level level = level(config.level());
            context.getLogger(ROOT_PACKAGE).setLevel(level);
            root.setLevel(level.isGreaterOrEqual(Level.INFO) ? level : Level.INFO); // libraries log too much below INFO
        }
    }

    private static Level level(LogConfig.Level level) {
        return switch (level) {
            case ERROR -> Level.ERROR;
            case WARN -> Level.WARN;
            case INFO -> Level.INFO;
            case DEBUG -> Level.DEBUG;
        };
    }
}
