package io.ballast.http.h1.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.ballast.core.backend.Backend;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HeaderVariable;
import io.ballast.core.config.header.HostHeader;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.core.testing.Backends;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.ForwardingRules;
import io.ballast.http.forwarding.PeerConnection;
import io.ballast.http.h1.client.ResponseHeadWriter.ClientConnectionHeader;
import io.ballast.http.h1.wire.Heads;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeadBytes;
import io.ballast.http.head.MajorVersion;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.header.HeaderVariables;
import io.ballast.http.header.ListenerHeaders;
import io.ballast.http.header.RouteHeaderEdits;
import io.ballast.http.net.Workers;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.RequestHeadWriter;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests that scanning and rewriting heads does not allocate after warm-up. */
class HeadAllocationTest {

    private static final String REQUEST =
            "GET /a?b HTTP/1.1\r\nHost: a:80\r\nConnection: x\r\nX: y\r\nAccept: */*\r\nX-Forwarded-For: 1\r\n\r\n";
    private static final String RESPONSE =
            "HTTP/1.1 200 OK\r\nServer: test\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok";
    private static final int MAX_BATCHES = 5_000;
    private static final int ROUNDS = 1_000;

    /**
     * Without Unsafe, as from Java 24 on, Netty allocates a {@code ByteBuffer} of 64 bytes for each copy from an array
     * to a buffer.
     */
    private static final long BUFFER_BYTES = PlatformDependent.hasUnsafe() ? 0 : 64;

    private static final byte[] DATE = ByteClasses.ascii("Sat, 21 Nov 2026 12:00:00 GMT");

    private final RequestScanner request = new RequestScanner();
    private final ResponseScanner response = new ResponseScanner();
    private final RequestHeadWriter requestWriter = new RequestHeadWriter();
    private final ResponseHeadWriter responseWriter = new ResponseHeadWriter();
    private final HeadBytes bytes = new HeadBytes();
    private final Backend backend = Backends.backend(0);
    private static final PeerConnection LOOPBACK = new PeerConnection(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 5000),
            /* localPort= */ 80,
            /* secure= */ false,
            MajorVersion.HTTP_1);

    private final ClientAddress client = new ClientAddress(
            LOOPBACK, new ForwardingRules(ForwardingPolicies.DEFAULT, ForwardingHeader.DEFAULT, CidrSet.EMPTY));
    private final ClientAddress proxied = new ClientAddress(
            LOOPBACK,
            new ForwardingRules(
                    ForwardingPolicies.DEFAULT,
                    EnumSet.allOf(ForwardingHeader.class),
                    CidrSet.of(List.of(Cidr.parse("127.0.0.0/8")))));
    private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(
            /* preferDirect= */ true, 0, 1, 8192, 7, 256, 64, /* useCacheForAllThreads= */ false);
    private final ByteBuf requestBytes = buffer(REQUEST);
    private final ByteBuf responseBytes = buffer(RESPONSE);

    @Test
    void scanAndRewriteAllocateNothing() throws InterruptedException {
        measure(/* buffers= */ 2, () -> relay(RouteHeaderEdits.NONE, client, (variable, target) -> {}));
    }

    @Test
    void rulesAndVariablesAllocateNothing() throws InterruptedException {
        StringBuilder all = new StringBuilder();
        HeaderVariable.names().forEach(name -> all.append(name).append(' '));
        HeaderField field =
                new HeaderField("X-All", HeaderValue.parse(all.toString().strip()));
        HeaderChanges changes = new HeaderChanges(List.of(field), List.of(), List.of("X", "Server"));
        RouteHeaderEdits edits = RouteHeaderEdits.compile(
                List.of(new HeaderRules(changes, changes)), new HostHeader.Fixed("fixed.example"));
        ListenerConfig listener = new ListenerConfig(
                "web",
                new HostPort("127.0.0.1", 0),
                List.of(),
                ClientDeadlines.DEFAULT,
                ClientLimits.DEFAULT,
                ForwardingPolicies.DEFAULT);
        try (Workers workers = Workers.start(NettyTransport.choose(TransportKind.NIO), 1, new SplittableRandom(1))) {
            HeaderContext exchange = new HeaderContext(workers.all().get(0), new ListenerHeaders(listener), proxied);
            // The response head does not fit into its receive buffer.
            measure(
                    /* buffers= */ 3, () -> {
                        exchange.start();
                        proxied.read(request);
                        exchange.setRequest(request, edits);
                        exchange.setBackend(backend);
                        relay(edits, proxied, exchange);
                    });
        }
    }

    private static void measure(int buffers, Runnable round) throws InterruptedException {
        long max = buffers * BUFFER_BYTES * ROUNDS;
        assumeTrue(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocations");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        // the leak detector may record buffers, which allocates
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        AtomicLong min = new AtomicLong(Long.MAX_VALUE);
        try {
            // Netty only recycles buffers on threads of this type, such as event loops.
            Thread loop = new FastThreadLocalThread(() -> {
                for (int i = 0; i < MAX_BATCHES && min.get() > max; i++) {
                    long before = threads.getCurrentThreadAllocatedBytes();
                    for (int j = 0; j < ROUNDS; j++) {
                        round.run();
                    }
                    min.accumulateAndGet(threads.getCurrentThreadAllocatedBytes() - before, Math::min);
                }
            });
            loop.start();
            loop.join();

            // One batch without allocations is enough: only compiled code does not allocate, and the time of
            // compilation
            // is unpredictable.
            assertThat(min.get()).isLessThanOrEqualTo(max);
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
    }

    private void relay(RouteHeaderEdits edits, ClientAddress from, HeaderVariables variables) {
        byte[] scratch = bytes.copy(requestBytes, 32 * 1024);
        request.scan(scratch, requestBytes.readableBytes(), Heads.LIMITS);
        requestWriter
                .write(request, from, edits, variables, backend, /* bodyBytes= */ 0, allocator)
                .release();

        ByteBuf received = allocator.directBuffer(1024).writeBytes(responseBytes, 0, responseBytes.readableBytes());
        scratch = bytes.copy(received, 32 * 1024);
        response.scan(scratch, received.readableBytes(), Heads.RESPONSE_LIMITS);
        responseWriter
                .rewrite(
                        response,
                        received,
                        ClientConnectionHeader.CLOSE,
                        DATE,
                        /* dropChunked= */ false,
                        edits.response(),
                        variables,
                        allocator)
                .release();
    }

    private static ByteBuf buffer(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
