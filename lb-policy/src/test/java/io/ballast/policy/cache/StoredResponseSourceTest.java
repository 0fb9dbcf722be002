package io.ballast.policy.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.local.ResponseSink;
import io.ballast.policy.cache.rule.CacheDefaults;
import io.ballast.policy.cache.rule.FreshnessLifetime;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.rule.ResponseMetadata;
import io.ballast.policy.cache.rule.Validity;
import io.ballast.policy.cache.store.GrowingBody;
import io.ballast.policy.cache.store.ResponseStore;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.StoredResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoredResponseSourceTest {

    private static final int LENGTH = 100_000;
    private static final int LIMIT_SECONDS = 60;

    private final EventLoop loop = new DefaultEventLoop();
    private final ResponseStore store = new ResponseStore(1024 * 1024);
    private final AtomicInteger bytes = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);

    @AfterEach
    void close() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Counts the bytes of the body. */
    private final class Sink implements ResponseSink {

        @Override
        public void head(byte[] lines, int length) {}

        @Override
        public void body(ByteBuf data) {
            bytes.addAndGet(data.readableBytes());
            data.release();
        }

        @Override
        public void end() {
            ended.countDown();
        }

        @Override
        public void fail(String reason) {}

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public EventLoop eventLoop() {
            return loop;
        }

        @Override
        public ByteBufAllocator allocator() {
            return ByteBufAllocator.DEFAULT;
        }
    }

    private StoredResponse response(GrowingBody body) {
        ResponseMetadata metadata = ResponseMetadata.of(200, HeaderLines.NONE, 0, 0);
        FreshnessLifetime lifetime = FreshnessLifetime.of(metadata, CacheDefaults.NONE, /* allowsImplicit= */ true);
        Validity validity = Validity.of(metadata, lifetime, CacheDefaults.NONE);
        StoredHead head = new StoredHead(metadata, validity, HeaderLines.NONE, new byte[0], List.of(), 0);
        return requireNonNull(StoredResponse.create(store, head, body.body()));
    }

    @Test
    void aRangeThatHasNotArrivedIsSentOnceItArrives() throws Exception {
        GrowingBody body = requireNonNull(store.receive(LENGTH));
        StoredResponseSource source = new StoredResponseSource(
                response(body), stored -> new HitHead(new ByteAppender(), /* from= */ 50_000, /* to= */ 60_000));
        body.add(ByteBuffer.allocate(10_000));
        loop.submit(() -> source.start(new Sink())).get();

        body.add(ByteBuffer.allocate(10_000));
        body.add(ByteBuffer.allocate(LENGTH - 20_000));

        assertThat(ended.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(bytes.get()).isEqualTo(10_000);
    }
}
