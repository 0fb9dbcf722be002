package io.ballast.http.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingAttemptsTest {

    private final WaitingAttempts waiting = new WaitingAttempts();
    private final List<Named> over = new ArrayList<>();

    private final class Named extends WaitingAttempts.Attempt {

        private final String client;
        private final int number;
        private boolean wanted = true;

        Named(String client, int number) {
            this.client = client;
            this.number = number;
        }

        @Override
        protected Object owner() {
            return client;
        }

        @Override
        protected boolean isRequested() {
            return wanted;
        }

        @Override
        protected void waitEnded() {
            over.add(this);
        }

        @Override
        protected void expired(long nowNanos) {
            throw new AssertionError("no deadline was set");
        }

        @Override
        public String toString() {
            return client + number;
        }
    }

    private List<Named> addAttempts(String client, int count) {
        List<Named> attempts = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            Named attempt = new Named(client, i);
            waiting.add(attempt);
            attempts.add(attempt);
        }
        return attempts;
    }

    private String served(int count) {
        StringBuilder order = new StringBuilder();
        for (int i = 0; i < count; i++) {
            order.append(waiting.poll()).append(' ');
        }
        return order.toString().strip();
    }

    @Test
    void newClientWaitsForOneTurnOfClientWithManyAttempts() {
        addAttempts("a", 1000);
        assertThat(served(2)).isEqualTo("a1 a2");

        addAttempts("b", 1);

        assertThat(served(3)).isEqualTo("a3 b1 a4");
    }

    @Test
    void clientsWithOneAttemptAreServedInOrderOfArrival() {
        addAttempts("a", 1);
        addAttempts("b", 1);
        addAttempts("c", 1);
        assertThat(served(1)).isEqualTo("a1");

        addAttempts("a", 1);

        assertThat(served(3)).isEqualTo("b1 c1 a1");
    }

    @Test
    void peekKeepsPlace() {
        List<Named> a = addAttempts("a", 2);
        addAttempts("b", 1);
        a.get(0).wanted = false;

        assertThat(waiting.peek()).isSameAs(a.get(1));
        assertThat(served(2)).isEqualTo("a2 b1");
        assertThat(waiting.peek()).isNull();
    }

    @Test
    void clientsTakeTurns() {
        addAttempts("a", 3);
        addAttempts("b", 2);
        addAttempts("c", 1);

        assertThat(served(6)).isEqualTo("a1 b1 c1 a2 b2 a3");
        assertThat(waiting.isEmpty()).isTrue();
        assertThat(waiting.poll()).isNull();
        assertThat(over).hasSize(6);
    }

    @Test
    void cancelledAttemptUsesNoTurn() {
        List<Named> a = addAttempts("a", 3);
        addAttempts("b", 2);
        a.get(0).wanted = false;
        a.get(1).wanted = false;

        assertThat(served(3)).isEqualTo("a3 b1 b2");
        assertThat(over).hasSize(5);
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void attemptIsRemovedOnce() {
        List<Named> a = addAttempts("a", 4);
        List<Named> b = addAttempts("b", 1);

        assertThat(waiting.remove(a.get(1))).isTrue();
        assertThat(waiting.remove(a.get(1))).isFalse();
        assertThat(waiting.remove(b.get(0))).isTrue();
        assertThat(waiting.remove(a.get(3))).isTrue();

        assertThat(served(2)).isEqualTo("a1 a3");
        assertThat(waiting.isEmpty()).isTrue();
    }

    /** A client that opens and resets streams has at most twice as many waiting attempts as open streams. */
    @Test
    void cancelledAttemptsAreRemovedEarly() {
        for (int i = 0; i < 100 * WaitingAttempts.MIN_SWEPT; i++) {
            addAttempts("a", 1).get(0).wanted = false;
        }

        assertThat(over).hasSizeGreaterThanOrEqualTo(99 * WaitingAttempts.MIN_SWEPT);
    }

    @Test
    void returningClientIsLast() {
        addAttempts("a", 1);
        served(1);
        addAttempts("b", 3);
        addAttempts("c", 1);
        served(1);

        addAttempts("a", 1);

        assertThat(served(4)).isEqualTo("c1 b2 a1 b3");
    }
}
