package io.ballast.http.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.net.listen.FileDescriptorReserve;
import io.netty.channel.ChannelException;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Errors;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectErrorsTest {

    @Test
    void describesEveryCause() {
        Map<Throwable, String> causes = Map.of(
                new ConnectException("Connection refused: /10.0.0.1:80"), "connection refused",
                new ConnectException("connect(..) failed with error(-110): Connection timed out"),
                        "connection timed out",
                new ConnectTimeoutException("connection timed out after 1000 ms"), "connection timed out",
                new SocketException("Network is unreachable: /10.0.0.1:80"), "network unreachable",
                new NoRouteToHostException(), "no route to host",
                new ConnectException("No route to host"), "no route to host",
                new BindException("Cannot assign requested address"), "no free local address or port",
                new SocketException("Too many open files"), "too many open files",
                new IOException("Connection reset by peer"), "connection reset",
                new SocketException("Operation not permitted"), "SocketException");

        assertThat(ConnectErrors.text(new FileNotFoundException("connect(..)")))
                .isEqualTo("socket file does not exist");
        assertThat(ConnectErrors.text(new IOException("connect(..) failed: Permission denied")))
                .isEqualTo("permission denied");
        causes.forEach((cause, words) -> assertThat(ConnectErrors.text(cause)).isEqualTo(words));
    }

    /** Uses error numbers, since messages depend on the system language. */
    @Test
    void recognizesDescriptorShortageByErrno() {
        assumeTrue(Epoll.isAvailable());

        for (int errno : new int[] {-23, -24}) {
            Throwable none = new ChannelException(new Errors.NativeIoException("newSocketStream", errno, false));
            assertThat(ConnectErrors.text(none)).isEqualTo("too many open files");
        }
        assertThat(FileDescriptorReserve.isDescriptorExhaustion(new Errors.NativeIoException("accept", -103, false)))
                .isFalse();
    }

    @Test
    void classifiesRefusalAndTimeout() {
        assertThat(ConnectErrors.isRefused(new ConnectException("Connection refused")))
                .isTrue();
        assertThat(ConnectErrors.isRefused(new NoRouteToHostException())).isFalse();
        assertThat(ConnectErrors.isTimeout(new ConnectException("Connection timed out")))
                .isTrue();
        assertThat(ConnectErrors.isTimeout(new ConnectException("Connection refused")))
                .isFalse();
    }
}
