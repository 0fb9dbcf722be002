package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.ballast.core.config.BackendProtocol;
import io.ballast.http.h2.testing.FrameOctets;
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
 * A request of HTTP/2 makes the event loop allocate nothing of ours once it is warm: a GET after the other on one connection,
 * over real sockets, to each kind of backend.
 *
 * <p>What is left on Java 24 and newer is Netty's, which makes a {@code ByteBuffer} of 64 octets where it does without Unsafe:
 * for what is copied out of the buffer that it came in, which are the two heads, and the body if chunks or frames are taken
 * off it. With Unsafe it is nothing at all. It is measured on epoll, as the JDK's selector makes objects for every socket that
 * becomes ready, and how often it turns is up to the clock.
 */
class Http2AllocationTest {

    private static final String BODY = "hello, world";
    private static final int MOST_BATCHES = 200;
    private static final int REQUESTS = 500;
    private static final int HEADS = 2;
    private static final int PIECES = 1;
    private static final int BUFFER_BYTES = PlatformDependent.hasUnsafe() ? 0 : 64;

    /**
     * No object is so small that one could be made for each request. It leaves room for what goes on beside them: the date
     * that is written every second.
     */
    private static final int LESS_THAN_AN_OBJECT = 15;

    @Test
    void requestToHttp1AllocatesNothing() throws Exception {
        measureHttp1("HTTP/1.1 200 OK\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY, HEADS);
    }

    @Test
    void chunksAreTakenOffWithoutAllocating() throws Exception {
        String size = Integer.toHexString(BODY.length());
        String chunks = size + "\r\n" + BODY + "\r\n0\r\n\r\n";
        measureHttp1("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, HEADS + PIECES);
    }

    private static void measureHttp1(String answer, int buffers) throws Exception {
        try (TestBackend backend = TestBackend.playing(talk -> {
                    talk.readHead();
                    talk.send(answer);
                });
                TestBalancer balancer = setup().backend(backend).start()) {
            measure(balancer, buffers);
        }
    }

    @Test
    void requestToHttp2AllocatesNothing() throws Exception {
        Http2Script script = talk -> {
            talk.begin();
            while (true) {
                Http2Request request = talk.nextHead();
                talk.answer(request, BODY);
                talk.forget(request);
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
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED); // it keeps a record of every buffer
        try (Http2Client client = Http2Client.connect(balancer.port()).keepingWindows()) {
            client.send(FrameOctets.windowUpdate(0, Integer.MAX_VALUE - Setting.DEFAULT_WINDOW));
            long loop = balancer.workers()
                    .all()
                    .get(0)
                    .eventLoop()
                    .submit(() -> Thread.currentThread().getId())
                    .get();
            long most = (buffers * BUFFER_BYTES + LESS_THAN_AN_OBJECT) * (long) REQUESTS;
            long least = Long.MAX_VALUE;
            // A single batch is enough: only compiled code allocates so little, whenever it will be compiled.
            for (int i = 0; i < MOST_BATCHES && least > most; i++) {
                long before = threads.getThreadAllocatedBytes(loop);
                ask(client);
                least = Math.min(least, threads.getThreadAllocatedBytes(loop) - before);
            }

            assertThat(least).isLessThanOrEqualTo(most);
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
    }

    private static void ask(Http2Client client) {
        for (int i = 0; i < REQUESTS; i++) {
            int stream = client.get("/");
            assertThat(client.read(stream).body()).isEqualTo(BODY);
            client.forget(stream);
        }
    }
}
