package io.ballast.net.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConnectionSheddingTest {

    private static final long LIMIT = 1_000_000;

    private final AtomicLong used = new AtomicLong();
    private final TransitBudget budget = new TransitBudget(LIMIT, used::get);
    private final ConnectionShedding shedding = new ConnectionShedding(new TransitShare(budget, 1));
    private final List<String> shed = new ArrayList<>();

    private final class Connection extends ConnectionShedding.Sheddable {

        private final String name;
        private final long held;
        private long moved;

        Connection(String name, long held) {
            this.name = name;
            this.held = held;
            used.addAndGet(held);
            shedding.add(this);
        }

        @Override
        protected long bufferedBytes() {
            return held;
        }

        @Override
        protected long movedBytes() {
            return moved;
        }

        @Override
        protected void shed() {
            shed.add(name);
            used.addAndGet(-held);
            shedding.remove(this);
        }
    }

    @Test
    void closesNothingWithinBudget() {
        Connection unused = new Connection("all", LIMIT);

        shedding.tick();
        shedding.tick();

        assertThat(shed).isEmpty();
        assertThat(budget.shedConnections()).isZero();
    }

    @Test
    void closesLargestStalledConnectionsFirst() {
        Connection fast = new Connection("fast", 600_000);
        Connection small = new Connection("small", 100_000);
        Connection slow = new Connection("slow", 320_000);

        shedding.tick();
        fast.moved += 5_000_000;
        slow.moved += 100;
        small.moved += 100;
        shedding.tick();

        assertThat(shed).containsExactly("slow");
        assertThat(budget.shedConnections()).isEqualTo(1);
        assertThat(budget.shedBytes()).isEqualTo(320_000);
    }

    @Test
    void closesOnlyAfterSecondObservation() {
        Connection fast = new Connection("fast", LIMIT + 1);
        fast.moved = 10_000_000;

        shedding.tick();

        assertThat(shed).isEmpty();
    }

    @Test
    void keepsConnectionsWithoutBuffers() {
        Connection unused = new Connection("idle", 0);
        used.set(2 * LIMIT);

        shedding.tick();
        shedding.tick();

        assertThat(shed).isEmpty();
    }

    @Test
    void forgetsClosedConnections() {
        Connection first = new Connection("first", 500_000);
        Connection second = new Connection("second", 400_000);
        Connection unused = new Connection("third", 300_000);
        shedding.remove(first);
        used.addAndGet(-500_000 + 400_000);

        shedding.tick();
        shedding.remove(second);
        shedding.tick();

        assertThat(shed).containsExactly("third");
    }
}
