package io.ballast.server.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisorNotifierTest {

    private static final Map<String, String> SYSTEMD = Map.of("INVOCATION_ID", "1");

    @TempDir
    private Path directory;

    @Test
    void containerProcessOneIsNotReplaced() {
        assertThatThrownBy(() -> SupervisorNotifier.checkRestartSupported(1, 0, Map.of()))
                .hasMessageContaining("container");
    }

    @Test
    void unsupportedUnitIsNotReplaced() {
        assertThatThrownBy(() -> SupervisorNotifier.checkRestartSupported(7, 1, SYSTEMD))
                .hasMessageContaining("Type=notify");
        assertThatCode(() -> SupervisorNotifier.checkRestartSupported(
                        7, 1, Map.of("INVOCATION_ID", "1", "NOTIFY_SOCKET", "/run/n")))
                .doesNotThrowAnyException();
    }

    @Test
    void manuallyStartedProcessIsReplaced() {
        // A desktop terminal also runs in a systemd service.
        assertThatCode(() -> SupervisorNotifier.checkRestartSupported(7, 5, SYSTEMD))
                .doesNotThrowAnyException();
        assertThatCode(() -> SupervisorNotifier.checkRestartSupported(7, 1, Map.of()))
                .doesNotThrowAnyException();
    }

    @Test
    void notifiesSystemd() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        Path path = directory.resolve("notify");
        Socket systemd = Socket.newSocketDomainDgram();
        try {
            systemd.bind(new DomainSocketAddress(path.toString()));

            SupervisorNotifier.send(path.toString(), "MAINPID=7\n");

            ByteBuffer message = ByteBuffer.allocateDirect(64);
            int length = systemd.read(message, 0, message.capacity());
            byte[] text = new byte[length];
            message.get(text);
            assertThat(new String(text, StandardCharsets.UTF_8)).isEqualTo("MAINPID=7\n");
        } finally {
            systemd.close();
        }
    }
}
