package io.ballast.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadRunTest {

    private static final String LOOPBACK = "127.0.0.1";

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @AfterEach
    void stop() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void everyDueRequestIsAnsweredOnceOnPersistentConnections() throws Exception {
        try (StallingServer server = new StallingServer(/* stallAt= */ -1, /* stallMillis= */ 0)) {
            LoadResult result = run(new LoadConfig(server.port(), "/", 200, 1, 4, /* closes= */ false, LOOPBACK));

            assertThat(result.answered()).isEqualTo(200);
            assertThat(server.served()).isEqualTo(200);
            assertThat(server.accepted()).isEqualTo(4);
            assertThat(result.times.getTotalCount()).isEqualTo(200);
        }
    }

    @Test
    void requestsMayUseAConnectionEach() throws Exception {
        try (StallingServer server = new StallingServer(/* stallAt= */ -1, /* stallMillis= */ 0)) {
            LoadResult result = run(new LoadConfig(server.port(), "/", 100, 1, 4, /* closes= */ true, LOOPBACK));

            assertThat(result.answered()).isEqualTo(100);
            assertThat(server.accepted()).isEqualTo(100);
        }
    }

    /**
     * A closed-loop client, which measures each time from the sending of the request, would see only one slow response
     * here.
     */
    @Test
    void aStallCountsForEveryRequestDueDuringIt() throws Exception {
        try (StallingServer server = new StallingServer(/* stallAt= */ 50, /* stallMillis= */ 500)) {
            LoadResult result = run(new LoadConfig(server.port(), "/", 200, 1, 1, /* closes= */ false, LOOPBACK));

            assertThat(result.answered()).isEqualTo(200);
            assertThat(result.times.getMaxValue()).isGreaterThanOrEqualTo(490_000);
            // 100 requests were due in the 500 ms; the first 80 of them waited at least 100 ms.
            long slow = result.times.getCountBetweenValues(100_000, result.times.getMaxValue());
            assertThat(slow).isGreaterThanOrEqualTo(75);
        }
    }

    @Test
    void aRefusedConnectionFailsEachRequest() throws Exception {
        LoadResult result = run(new LoadConfig(unusedPort(), "/", 20, 1, 2, /* closes= */ false, LOOPBACK));

        assertThat(result.answered()).isZero();
        assertThat(result.failures(LoadResult.RequestFailure.CONNECT)).isEqualTo(20);
        assertThat(result.toJson()).contains("\"connect\": 20");
    }

    private LoadResult run(LoadConfig config) throws InterruptedException {
        EventLoop loop = group.next();
        Bootstrap bootstrap = new Bootstrap().group(loop).channel(NioSocketChannel.class);
        return new LoadRun(config, loop, bootstrap).start().sync().getNow();
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
