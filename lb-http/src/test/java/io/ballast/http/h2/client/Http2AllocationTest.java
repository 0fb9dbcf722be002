package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.ballast.core.config.BackendProtocol;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.netty.channel.epoll.Epoll;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/**
 * Tests that an HTTP/2 request does not allocate on the event loop after warm-up. A client sends sequential GET
 * requests on one connection over real sockets, to each kind of backend.
 *
 * <p>On Java 24 and newer, Netty without Unsafe allocates a {@code ByteBuffer} of 64 bytes for each copy out of a
 * receive buffer: for both heads, and for the body if chunks or frames are removed. With Unsafe it allocates nothing.
 * The test uses epoll, since the JDK selector allocates for each ready socket and its number of selects varies.
 */
class Http2AllocationTest {

    private static final String BODY = "hello, world";
    private static final int MAX_BATCHES = 200;
    private static final int REQUESTS = 500;
    private static final int HEADS = 2;
    private static final int PIECES = 1;
    private static final int BUFFER_BYTES = PlatformDependent.hasUnsafe() ? 0 : 64;

    /**
     * A number of bytes smaller than any object that a request could allocate. The allowance covers other work, such as
     * the date that is formatted every second.
     */
    private static final int LESS_THAN_AN_OBJECT = 15;

    @Test
    void requestToHttp1AllocatesNothing() throws Exception {
        measureHttp1("HTTP/1.1 200 OK\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY, HEADS);
    }

    @Test
    void dechunkingAllocatesNothing() throws Exception {
        String size = Integer.toHexString(BODY.length());
        String chunks = size + "\r\n" + BODY + "\r\n0\r\n\r\n";
        measureHttp1("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, HEADS + PIECES);
    }

    private static void measureHttp1(String answer, int buffers) throws Exception {
        try (TestBackend backend = TestBackend.playing(connection -> {
                    connection.readHead();
                    connection.send(answer);
                });
                TestBalancer balancer = setup().backend(backend).start()) {
            measure(balancer, buffers);
        }
    }

    @Test
    void requestToHttp2AllocatesNothing() throws Exception {
        Http2Script script = connection -> {
            connection.begin();
            while (true) {
                Http2Request request = connection.nextHead();
                connection.answer(request, BODY);
                connection.forget(request);
            }
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(script);
                TestBalancer balancer = setup().backend(backend.address())
                        .protocol(BackendProtocol.H2C)
                        .start()) {
            measure(balancer, HEADS + PIECES);
        }
    }

    private static BalancerSetup setup() {
        assumeTrue(Epoll.isAvailable(), "there is no epoll here");
        return BalancerSetup.on(TransportKind.EPOLL).loops(1);
    }

    private static void measure(TestBalancer balancer, int buffers) throws InterruptedException, ExecutionException {
        assumeTrue(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocations");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        // the leak detector may record buffers, which allocates
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try (Http2Client client = Http2Client.connect(balancer.port()).keepingWindows()) {
            client.send(FrameBytes.windowUpdate(0, Integer.MAX_VALUE - Setting.DEFAULT_WINDOW));
            long loop = balancer.workers()
                    .all()
                    .get(0)
                    .eventLoop()
                    .submit(() -> Thread.currentThread().getId())
                    .get();
            long max = (buffers * BUFFER_BYTES + LESS_THAN_AN_OBJECT) * (long) REQUESTS;
            long min = Long.MAX_VALUE;
            // One batch is enough: only compiled code allocates so little, and the time of compilation is
            // unpredictable.
            for (int i = 0; i < MAX_BATCHES && min > max; i++) {
                long before = threads.getThreadAllocatedBytes(loop);
                request(client);
                min = Math.min(min, threads.getThreadAllocatedBytes(loop) - before);
            }

            assertThat(min).isLessThanOrEqualTo(max);
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
    }

    private static void request(Http2Client client) {
        for (int i = 0; i < REQUESTS; i++) {
            int stream = client.get("/");
            assertThat(client.read(stream).body()).isEqualTo(BODY);
            client.forget(stream);
        }
    }
}
