package io.ballast.server.restart;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.net.takeover.InheritedSockets;
import io.ballast.net.takeover.ProcessLink;
import io.netty.channel.unix.Socket;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the new process with an old process that violates the protocol. All messages fit into the socket
 * buffers, so one thread plays both roles.
 */
@EnabledOnOs(OS.LINUX)
class TakeOverProtocolTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration NONE = Duration.ZERO;
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir
    private Path directory;

    private ProcessLink.Acceptor acceptor;
    private TakeOver next;
    private ProcessLink before;

    @BeforeEach
    void connect() throws IOException {
        Path path = directory.resolve("door");
        acceptor = new ProcessLink.Acceptor(path);
        next = TakeOver.connect(path, NONE);
        before = requireNonNull(acceptor.await(ProcessHandle.current().pid(), () -> true, TIMEOUT));
    }

    @AfterEach
    void close() throws IOException {
        before.close();
        next.close();
        acceptor.close();
    }

    @Test
    void takesSocketsAndReleasedResources() throws IOException {
        Socket socket = Socket.newSocketStream();
        try {
            socket.bind(ANY);
            send("sockets 1", "TCP 127.0.0.1 80");
            before.sendDescriptor(socket.intValue(), TIMEOUT);
            send("vacated 8001 9000");

            try (InheritedSockets sockets = next.receiveSockets()) {
                assertThat(before.receive(TIMEOUT)).isEqualTo(TakeOver.TAKE_OVER);
                assertThat(sockets.size()).isEqualTo(1);
                assertThat(sockets.addresses())
                        .containsExactly(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80));
                assertThat(sockets.isVacated(9000)).isTrue();
                assertThat(sockets.isVacated(80)).isFalse();
            }
        } finally {
            socket.close();
        }
    }

    @Test
    void rejectsGarbage() throws IOException {
        send("\u0000\u0001 HTTP/1.1 400");

        assertThatThrownBy(next::receiveSockets)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("(expected: sockets)");
    }

    @Test
    void rejectsInvalidSocket() throws IOException {
        send("sockets 1", "CARRIER_PIGEON 127.0.0.1 80");

        assertThatThrownBy(next::receiveSockets).isInstanceOf(IOException.class).hasMessageContaining("CARRIER_PIGEON");
    }

    @Test
    void rejectsTooManySockets() throws IOException {
        send("sockets " + (TakeOver.MAX_SOCKETS + 1));

        assertThatThrownBy(next::receiveSockets).hasMessageContaining("(expected: 0 to " + TakeOver.MAX_SOCKETS + ")");
    }

    @Test
    void rejectsInvalidNumber() throws IOException {
        send("sockets -1");

        assertThatThrownBy(next::receiveSockets).hasMessageContaining("-1 (expected: 0 to");
    }

    @Test
    void rejectsTruncatedMessage() throws IOException {
        send("sockets 2", "TCP 127.0.0.1 80");
        before.close();

        assertThatThrownBy(next::receiveSockets).isInstanceOf(EOFException.class);
    }

    @Test
    void rejectsMissingDescriptor() throws IOException {
        send("sockets 1", "TCP 127.0.0.1 80", "TCP 127.0.0.1 81");
        before.close();

        assertThatThrownBy(next::receiveSockets).isInstanceOf(IOException.class);
    }

    @Test
    void silenceTimesOut() {
        assertThatThrownBy(next::receiveSockets).hasMessage("timed out waiting for a message from the other process");
    }

    /** The old process ended without a message, so no other process serves. */
    @Test
    void servesAfterOtherProcessEnded() throws IOException {
        before.close();

        next.complete();

        next.reportFailure("too late"); // sends nothing, because the old process has ended
    }

    @Test
    void reportsStartFailure() throws IOException {
        next.reportFailure("no\nluck");

        assertThat(before.receive(TIMEOUT)).isEqualTo("failed no luck");
    }

    private void send(String... lines) throws IOException {
        for (String line : lines) {
            before.send(line, TIMEOUT);
        }
    }
}
