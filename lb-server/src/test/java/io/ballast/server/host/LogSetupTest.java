package io.ballast.server.host;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import io.ballast.config.LogConfig;
import io.ballast.config.LogConfig.Format;
import io.ballast.config.LogConfig.Level;
import org.junit.jupiter.api.Test;

class LogSetupTest {

    private final LoggerContext context = new LoggerContext();

    @Test
    void levelAndFormatChangeAtRunTime() {
        LogSetup.install(context);
        assertThat(context.getLogger("io.ballast.core").isInfoEnabled()).isTrue();
        assertThat(context.getLogger("io.ballast.core").isDebugEnabled()).isFalse();

        LogSetup.apply(new LogConfig(Format.JSON, Level.DEBUG), context);
        assertThat(context.getLogger("io.ballast.core").isDebugEnabled()).isTrue();
        assertThat(context.getLogger("io.netty").isDebugEnabled()).isFalse();
        assertThat(context.getLogger("io.netty").isInfoEnabled()).isTrue();

        LogSetup.apply(new LogConfig(Format.TEXT, Level.ERROR), context);
        assertThat(context.getLogger("io.ballast.core").isWarnEnabled()).isFalse();
        assertThat(context.getLogger("io.netty").isWarnEnabled()).isFalse();
        assertThat(context.getLogger("io.netty.handler.codec.http2").isErrorEnabled())
                .isTrue();
    }

    @Test
    void attemptsOfElectionsAreNotLogged() {
        LogSetup.install(context);

        assertThat(context.getLogger("io.microraft.RaftNode").isWarnEnabled()).isFalse();
        assertThat(context.getLogger("io.microraft.RaftNode").isErrorEnabled()).isTrue();
    }

    @Test
    void customSetupIsUnchanged() {
        ConsoleAppender<ILoggingEvent> custom = new ConsoleAppender<>();
        custom.setName("custom");
        context.getLogger("ROOT").addAppender(custom);
        context.getLogger("ROOT").setLevel(ch.qos.logback.classic.Level.WARN);

        LogSetup.apply(new LogConfig(Format.JSON, Level.DEBUG), context);

        assertThat(context.getLogger("io.ballast").isInfoEnabled()).isFalse();
    }
}
