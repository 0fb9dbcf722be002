package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.SocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests backends that send data before the check sends any. */
class ServerFirstTest {

    private static volatile boolean readsAtOnce;

    /** If the channel read immediately, it could receive data before the check is notified of the connection. */
    @Test
    void readsOnlyAfterCheckStarts() throws Exception {
        NettyTransport nio = NettyTransport.choose(TransportKind.NIO);
        NettyTransport watched = new NettyTransport(
                nio.kind(),
                nio.why(),
                nio.sharesPort(),
                nio.ioHandler(),
                nio.serverChannel(),
                WatchedChannel.class,
                nio.datagramChannel());
        readsAtOnce = true;
        try (TestBackend backend = TestBackend.accepting(
                connection -> connection.send("220 ready\r\n").awaitClose())) {
            ProbeResult result = CheckRun.of(
                    watched,
                    backend.address(),
                    new HealthCheck.Tcp(Optional.empty(), Optional.of("220 ")),
                    TestTimeout.LIMIT,
                    Runnable::run);

            assertThat(result.text()).isEqualTo("connected, expected answer received");
            assertThat(readsAtOnce).isFalse();
        }
    }

    /** Records whether the channel reads data as soon as it is connected. */
    public static final class WatchedChannel extends NioSocketChannel {

        @Override
        protected boolean doConnect(SocketAddress remote, SocketAddress local) throws Exception {
            readsAtOnce = config().isAutoRead();
            return super.doConnect(remote, local);
        }
    }
}
