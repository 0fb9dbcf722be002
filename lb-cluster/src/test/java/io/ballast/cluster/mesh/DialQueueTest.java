package io.ballast.cluster.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DialQueueTest {

    private final DialQueue queue = new DialQueue();
    private final List<String> dialed = new ArrayList<>();

    private Runnable request(String address, int failures) {
        Runnable dial = () -> dialed.add(address);
        queue.request(dial, failures);
        return dial;
    }

    private void fill() {
        for (int i = 0; i < DialQueue.MAX_DIALING; i++) {
            request("first" + i, 0);
        }
        dialed.clear();
    }

    @Test
    void limitsTheNumberOfConnectionsThatAreOpenedAtATime() {
        for (int i = 0; i < 50; i++) {
            request("n" + i, 0);
        }
        assertThat(dialed).hasSize(DialQueue.MAX_DIALING);
        queue.end();
        assertThat(dialed).hasSize(DialQueue.MAX_DIALING + 1).endsWith("n" + DialQueue.MAX_DIALING);
    }

    @Test
    void addressesWithFewerFailuresComeFirst() {
        fill();
        request("silent", 3);
        request("new", 0);
        request("later", 0);
        for (int i = 0; i < 3; i++) {
            queue.end();
        }
        assertThat(dialed).containsExactly("new", "later", "silent");
    }

    @Test
    void aWithdrawnRequestTakesNoTurn() {
        fill();
        Runnable withdrawn = request("withdrawn", 0);
        request("next", 0);
        assertThat(queue.withdraw(withdrawn)).isTrue();
        assertThat(queue.withdraw(withdrawn)).isFalse();
        queue.end();
        assertThat(dialed).containsExactly("next");
    }
}
