package io.ballast.cluster.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObservationBoardTest {

    private static final Duration FLUSH = Duration.ofMillis(ObservationBoard.FLUSH_MILLIS);
    private static final Duration TICK = Duration.ofSeconds(ObservationBoard.TICK_SECONDS);
    /** The time in which each of a few rows is repeated once. */
    private static final Duration CYCLE = TICK.multipliedBy(ObservationBoard.MIN_ROUNDS);

    private final ScriptedMesh mesh = new ScriptedMesh();
    private final ScriptedMesh.Node a = mesh.start("a");
    private final ScriptedMesh.Node b = mesh.start("b");

    @Test
    void changesArriveTogetherInOneFrame() {
        mesh.connect("a", "b");
        int before = mesh.frames;
        for (int i = 0; i < 100; i++) {
            a.put("t" + i, "old");
            a.put("t" + i, "new");
        }
        assertThat(b.seen).isEmpty();

        mesh.scheduler.advance(FLUSH);

        assertThat(b.seen).hasSize(100).containsEntry("a:t0", "new").containsEntry("a:t99", "new");
        assertThat(mesh.frames - before).isEqualTo(1);
        assertThat(a.board.ownRows()).isEqualTo(100);
        assertThat(b.board.otherRows()).isEqualTo(100);
        assertThat(b.board.counters().received()).isEqualTo(2); // the first frame was sent when the nodes connected
    }

    @Test
    void aNodeThatConnectsGetsAllRows() {
        a.put("t", "1");
        mesh.scheduler.advance(FLUSH);

        mesh.connect("a", "b");

        assertThat(b.seen).isEqualTo(Map.of("a:t", "1"));
        assertThat(b.memberships).containsExactly(Set.of("a"));
    }

    @Test
    void rowsOfANodeAreGoneWhenItIsDisconnected() {
        mesh.connect("a", "b");
        a.put("t", "1");
        mesh.scheduler.advance(FLUSH);

        mesh.disconnect("a", "b");

        assertThat(b.seen).isEmpty();
        assertThat(b.board.otherRows()).isZero();
        assertThat(b.memberships).containsExactly(Set.of("a"), Set.of());
    }

    @Test
    void rowsOfANodeThatIsReachableInOneDirectionOnlyDoNotCount() {
        mesh.connect("a", "b");
        a.put("t", "1");
        mesh.scheduler.advance(FLUSH);
        mesh.disconnectOneWay("b", "a");

        mesh.scheduler.advance(CYCLE);
        assertThat(b.seen).isEmpty();
        assertThat(b.board.otherRows()).isEqualTo(1);

        mesh.connectOneWay("b", "a");
        assertThat(b.seen).isEqualTo(Map.of("a:t", "1"));
    }

    @Test
    void aWithdrawnRowIsGone() {
        mesh.connect("a", "b");
        a.put("t", "1");
        a.put("u", "2");
        mesh.scheduler.advance(FLUSH);

        a.board.withdraw("t");
        a.board.withdraw("never written");
        mesh.scheduler.advance(FLUSH);

        assertThat(b.seen).isEqualTo(Map.of("a:u", "2"));
        assertThat(a.board.ownRows()).isEqualTo(1);
    }

    @Test
    void aLostChangeArrivesWithTheRepetition() {
        mesh.connect("a", "b");
        a.put("t", "1");
        mesh.scheduler.advance(FLUSH);
        mesh.isLossy = true;
        a.put("t", "2");
        mesh.scheduler.advance(FLUSH);
        mesh.isLossy = false;
        assertThat(b.seen).containsEntry("a:t", "1");

        mesh.scheduler.advance(CYCLE);

        assertThat(b.seen).containsEntry("a:t", "2");
    }

    @Test
    void aLostWithdrawalTakesEffectWhenTheRowExpires() {
        mesh.connect("a", "b");
        a.put("t", "1");
        mesh.scheduler.advance(FLUSH);
        mesh.isLossy = true;
        a.board.withdraw("t");
        mesh.scheduler.advance(FLUSH);
        mesh.isLossy = false;

        mesh.scheduler.advance(CYCLE.multipliedBy(2));
        assertThat(b.seen).isEqualTo(Map.of("a:t", "1"));
        mesh.scheduler.advance(CYCLE.multipliedBy(2));

        assertThat(b.seen).isEmpty();
    }

    @Test
    void rowsOfASilentNodeExpire() {
        mesh.connect("a", "b");
        a.put("t", "1");
        mesh.scheduler.advance(CYCLE.multipliedBy(20));
        assertThat(b.seen).hasSize(1);

        mesh.isLossy = true;
        mesh.scheduler.advance(Duration.ofSeconds(ObservationBoard.SILENCE_SECONDS - 2));
        assertThat(b.seen).hasSize(1);
        mesh.scheduler.advance(TICK.multipliedBy(2));
        assertThat(b.seen).isEmpty();

        mesh.isLossy = false;
        mesh.scheduler.advance(CYCLE);
        assertThat(b.seen).hasSize(1);
    }

    @Test
    void aNewProcessOfANodeReplacesAllRowsOfTheOldOne() {
        mesh.connect("a", "b");
        a.put("t", "1");
        a.put("u", "1");
        mesh.scheduler.advance(FLUSH);

        ScriptedMesh.Node again = mesh.start("a");
        again.put("t", "2");
        mesh.scheduler.advance(FLUSH);
        mesh.connect("a", "b");
        assertThat(b.seen).isEqualTo(Map.of("a:t", "2"));

        a.put("t", "3"); // the old process still sends
        mesh.scheduler.advance(CYCLE);
        assertThat(b.seen).isEqualTo(Map.of("a:t", "2"));
    }

    @Test
    void manyRowsAreSplitIntoFramesAndRepeatedSlowly() {
        mesh.connect("a", "b");
        String content = "x".repeat(1000);
        for (int i = 0; i < 1000; i++) {
            a.put("t" + i, content);
        }
        mesh.scheduler.advance(FLUSH);

        assertThat(b.seen).hasSize(1000);
        assertThat(mesh.largest).isLessThanOrEqualTo(ObservationFrame.MAX_BYTES + 100);
        int before = mesh.frames;
        mesh.scheduler.advance(TICK);
        assertThat(mesh.frames - before).isLessThanOrEqualTo(3); // two frames for 64 KiB, and the empty frame of b

        mesh.scheduler.advance(Duration.ofMinutes(10));
        assertThat(b.seen).hasSize(1000);
    }

    @Test
    void rowsAreRefusedBeyondTheLimits() {
        mesh.connect("a", "b");
        for (int i = 0; i < ObservationBoard.MAX_NODE_ROWS + 5; i++) {
            a.put("t" + i, "");
        }
        mesh.scheduler.advance(FLUSH);
        assertThat(a.board.ownRows()).isEqualTo(ObservationBoard.MAX_NODE_ROWS);
        assertThat(a.board.counters().refused()).isEqualTo(5);
        assertThat(b.board.otherRows()).isEqualTo(ObservationBoard.MAX_NODE_ROWS);

        a.board.withdraw(b.seen.keySet().iterator().next().substring(2));
        a.put("new", "1");
        mesh.scheduler.advance(FLUSH.multipliedBy(2));
        assertThat(a.board.ownRows()).isEqualTo(ObservationBoard.MAX_NODE_ROWS);

        assertThatThrownBy(() -> a.put("t", "x".repeat(ObservationBoard.MAX_CONTENT_BYTES + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("content of 32769 bytes (expected: 1 to 512 characters, at most 32768 bytes");
    }

    @Test
    void aReceiverRefusesMoreBytesThanOneNodeMayHave() {
        PeerRows rows = new PeerRows(b.board.counters());
        byte[] large = new byte[ObservationBoard.MAX_CONTENT_BYTES];
        for (int i = 0; i < 200; i++) {
            rows.apply(
                    "a",
                    /* incarnation= */ 1,
                    new ObservationFrame(10, List.of(new ObservationFrame.Row(i, "t" + i, large))),
                    /* nowNanos= */ 0);
        }

        assertThat(rows.size()).isEqualTo(ObservationBoard.MAX_NODE_BYTES / (large.length + 17));
        assertThat(b.board.counters().refused()).isEqualTo(200L - rows.size());
        assertThat(rows.remove("a")).hasSize(ObservationBoard.MAX_NODE_BYTES / (large.length + 17));
        assertThat(rows.size()).isZero();
    }

    @Test
    void framesAreDroppedWhileTooManyBytesWait() {
        mesh.connect("a", "b");
        String content = "x".repeat(ObservationBoard.MAX_CONTENT_BYTES);
        for (int i = 0; i < 50; i++) {
            a.put("t" + i, content);
        }
        mesh.scheduler.advance(FLUSH);
        int received = 0;
        byte[] frame = ObservationFrame.encode(
                        10, List.of(new ObservationFrame.Row(1, "u", content.getBytes(StandardCharsets.UTF_8))))
                .get(0);
        while (b.board.counters().lost() == 0) {
            mesh.deliver("a", "b", frame);
            received++;
        }

        assertThat((long) received * frame.length)
                .isBetween(
                        (long) ObservationBoard.MAX_WAITING_BYTES,
                        ObservationBoard.MAX_WAITING_BYTES + 2L * frame.length);
        mesh.scheduler.runDue();
        mesh.deliver("a", "b", frame);
        assertThat(b.board.counters().lost()).isEqualTo(1);
    }

    @Test
    void malformedFramesAreCountedAndHaveNoEffect() {
        mesh.connect("a", "b");
        byte[] frame = ObservationFrame.encode(10, List.of(new ObservationFrame.Row(1, "t", new byte[] {1, 2, 3})))
                .get(0);
        for (int length = 0; length < frame.length; length++) {
            mesh.deliver("a", "b", Arrays.copyOf(frame, length));
        }
        byte[] otherVersion = frame.clone();
        otherVersion[0] = 2;
        mesh.deliver("a", "b", otherVersion);
        mesh.scheduler.runDue();

        assertThat(b.board.counters().lost()).isEqualTo(frame.length + 1);
        assertThat(b.seen).isEmpty();
    }

    @Test
    void receivingDoesNotProcessOnTheCallersThread() {
        mesh.connect("a", "b");
        byte[] frame = ObservationFrame.encode(10, List.of(new ObservationFrame.Row(1, "t", new byte[0])))
                .get(0);
        mesh.deliver("a", "b", frame);

        assertThat(b.seen).isEmpty();
        mesh.scheduler.runDue();
        assertThat(b.seen).isEqualTo(Map.of("a:t", ""));
    }

    @Test
    void aClosedBoardIgnoresEverything() {
        ObservationBoard board = new ObservationBoard(a);
        board.close();
        board.put("t", new byte[0]);
        board.withdraw("t");
        board.received(mesh.process("b"), ObservationBoard.KIND, new byte[0]);
        board.connected(mesh.process("b"));

        assertThat(board.ownRows()).isZero();
        assertThat(a.memberships).isEmpty();
    }
}
