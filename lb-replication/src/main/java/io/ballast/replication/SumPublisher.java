package io.ballast.replication;

import io.ballast.cluster.observation.ObservationBoard;
import io.ballast.dashboard.source.NodeSum;
import java.util.List;
import java.util.function.Supplier;

/** Sends the counters of this node to the other nodes. Confined to one thread. */
final class SumPublisher {

    private final ObservationBoard board;
    private final Supplier<NodeSum> own;
    private int rows;

    SumPublisher(ObservationBoard board, Supplier<NodeSum> own) {
        this.board = board;
        this.own = own;
    }

    void publish() {
        List<byte[]> next = SumRows.encode(own.get());
        for (int i = 0; i < next.size(); i++) {
            board.put(SumRows.PREFIX + i, next.get(i));
        }
        for (int i = next.size(); i < rows; i++) {
            board.withdraw(SumRows.PREFIX + i);
        }
        rows = next.size();
    }
}
