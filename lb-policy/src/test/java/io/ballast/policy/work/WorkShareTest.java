package io.ballast.policy.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.PolicyDecision;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorkShareTest {

    @Test
    @Timeout(60)
    void decisionAboveTheShareIsRefused() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (SlowWork work = new SlowWork(/* threads= */ 1)) {
            WorkShare share = new WorkShare(work, /* max= */ 1);
            PolicyDecision first = share.decide(() -> {
                awaitUninterruptibly(goOn);
                return PolicyDecision.PASS;
            });

            assertThat(share.decide(() -> PolicyDecision.PASS)).isEqualTo(SlowWork.BUSY);
            assertThat(new WorkShare(work, /* max= */ 1).decide(() -> PolicyDecision.PASS))
                    .as("another share")
                    .isInstanceOf(PendingDecision.class);

            goOn.countDown();
            ((PendingDecision) first).decision().get(1, TimeUnit.MINUTES);
            PolicyDecision next = SlowWork.BUSY;
            while (next.equals(SlowWork.BUSY)) { // the place becomes free just after the decision
                Thread.onSpinWait();
                next = share.decide(() -> PolicyDecision.PASS);
            }
            assertThat(next).isInstanceOf(PendingDecision.class);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
