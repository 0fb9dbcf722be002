package io.ballast.net.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadLimiterTest {

    private static final int FULL_READ = 64 * 1024;
    private static final int FULL_READS_IN_A_TURN = ReadLimiter.MAX_BYTES / FULL_READ;

    private final EmbeddedChannel clock = new EmbeddedChannel();
    private final EventLoop loop = clock.eventLoop();
    private final TransitShare share = new TransitShare(new TransitBudget(128 << 20, () -> 0), /* loops= */ 1);
    private final ReadLimiter turns = new ReadLimiter(loop, share);
    private final List<Connection> connections = new ArrayList<>();

    /** A channel that reads through {@link BudgetedRecvByteBufAllocator}, as on a real transport. */
    private final class Connection {
        final BudgetedRecvByteBufAllocator reads =
                new BudgetedRecvByteBufAllocator(share, turns, /* takenInAdvance= */ false);
        final EmbeddedChannel channel = new EmbeddedChannel();
        final ExtendedHandle handle = (ExtendedHandle) reads.newHandle();

        Connection() {
            channel.config().setRecvByteBufAllocator(reads);
            connections.add(this);
        }

        /** Runs a read loop with one read of this many bytes. */
        void read(int bytes, boolean muchExpected) {
            handle.reset(channel.config());
            ByteBuf buffer = handle.allocate(ByteBufAllocator.DEFAULT);
            buffer.release();
            handle.attemptedBytesRead(bytes);
            handle.lastBytesRead(bytes);
            handle.incMessagesRead(1);
            handle.readComplete();
            reads.endReadLoop(channel, muchExpected);
        }

        boolean isRead() {
            return channel.config().isAutoRead();
        }
    }

    @AfterEach
    void close() {
        connections.forEach(connection -> connection.channel.finishAndReleaseAll());
        clock.finishAndReleaseAll();
    }

    private Connection[] uploads(int count) {
        Connection[] all = new Connection[count];
        for (int i = 0; i < count; i++) {
            all[i] = new Connection();
        }
        return all;
    }

    private void nextTurn() {
        clock.runScheduledPendingTasks();
    }

    @Test
    void uploadsWithinTurnLimitContinue() {
        for (Connection upload : uploads(FULL_READS_IN_A_TURN - 1)) {
            upload.read(FULL_READ, /* muchExpected= */ true);

            assertThat(upload.isRead()).isTrue();
        }
        assertThat(turns.waitingConnections()).isZero();
    }

    @Test
    void readsBeyondTurnLimitWait() {
        Connection[] all = uploads(3 * FULL_READS_IN_A_TURN);
        for (Connection upload : all) {
            upload.read(FULL_READ, /* muchExpected= */ true);
        }

        assertThat(all).filteredOn(Connection::isRead).hasSize(FULL_READS_IN_A_TURN - 1);
        int waiting = turns.waitingConnections();

        nextTurn();

        assertThat(turns.waitingConnections()).isEqualTo(waiting - FULL_READS_IN_A_TURN);
    }

    @Test
    void waitingChannelsResumeInOrder() {
        Connection[] all = uploads(5 * FULL_READS_IN_A_TURN);
        for (Connection upload : all) {
            upload.read(FULL_READ, /* muchExpected= */ true);
        }
        int first = FULL_READS_IN_A_TURN - 1;

        nextTurn();

        for (int i = 0; i < FULL_READS_IN_A_TURN; i++) {
            assertThat(all[first + i].isRead()).as("upload %d", first + i).isTrue();
        }
        assertThat(all[first + FULL_READS_IN_A_TURN].isRead()).isFalse();
        for (int i = 0; i < 5; i++) {
            nextTurn();
        }
        assertThat(all).allMatch(Connection::isRead);
    }

    @Test
    void limitsNumberOfShortReads() {
        int max = ReadLimiter.MAX_BYTES / ReadLimiter.MIN_COUNTED_BYTES;
        Connection[] all = uploads(2 * max);
        for (Connection upload : all) {
            upload.read(/* bytes= */ 8 * 1024, /* muchExpected= */ true);
        }

        assertThat(all).filteredOn(Connection::isRead).hasSize(max - 1);
    }

    @Test
    void requestsWithoutBodyAreNotDelayed() {
        for (Connection upload : uploads(3 * FULL_READS_IN_A_TURN)) {
            upload.read(FULL_READ, /* muchExpected= */ true);
        }
        Connection client = new Connection();

        client.read(/* bytes= */ 200, /* muchExpected= */ false);

        assertThat(client.isRead()).isTrue();
    }

    @Test
    void stoppedConnectionStaysStopped() {
        Connection[] all = uploads(FULL_READS_IN_A_TURN + 1);
        for (Connection upload : all) {
            upload.read(FULL_READ, /* muchExpected= */ true);
        }
        Connection stopped = all[FULL_READS_IN_A_TURN];
        assertThat(stopped.isRead()).isFalse();

        BudgetedRecvByteBufAllocator.setReading(stopped.channel, /* on= */ false);
        nextTurn();
        assertThat(stopped.isRead()).isFalse();

        BudgetedRecvByteBufAllocator.setReading(stopped.channel, /* on= */ true);
        assertThat(stopped.isRead()).isTrue();
    }

    @Test
    void requestedReadWaitsForTurn() {
        Connection[] all = uploads(FULL_READS_IN_A_TURN + 1);
        for (Connection upload : all) {
            upload.read(FULL_READ, /* muchExpected= */ true);
        }
        Connection waiting = all[FULL_READS_IN_A_TURN];

        BudgetedRecvByteBufAllocator.setReading(waiting.channel, /* on= */ true);
        assertThat(waiting.isRead()).isFalse();

        nextTurn();
        assertThat(waiting.isRead()).isTrue();
    }

    @Test
    void closedConnectionUsesNoTurn() {
        Connection[] all = uploads(2 * FULL_READS_IN_A_TURN);
        for (Connection upload : all) {
            upload.read(FULL_READ, /* muchExpected= */ true);
        }
        all[FULL_READS_IN_A_TURN].channel.close();

        nextTurn();

        assertThat(turns.waitingConnections()).isZero();
        assertThat(all[FULL_READS_IN_A_TURN].isRead()).isFalse();
    }

    @Test
    void otherChannelsAreUnaffected() {
        EmbeddedChannel other = new EmbeddedChannel();

        BudgetedRecvByteBufAllocator.setReading(other, /* on= */ false);
        assertThat(other.config().isAutoRead()).isFalse();
        BudgetedRecvByteBufAllocator.setReading(other, /* on= */ true);

        assertThat(other.config().isAutoRead()).isTrue();
        other.finishAndReleaseAll();
    }
}
