package io.ballast.core.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.testing.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeLogTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane control = scheduler.controlPlane();
    private final List<String> lines = new ArrayList<>();

    @Test
    void logsFewChangesSeparately() {
        add("pool=web state=down", 3);
        scheduler.advance(Duration.ofMinutes(1));

        assertThat(lines).containsExactly("change 0", "change 1", "change 2");
    }

    @Test
    void logsManyChangesAsOneLineWithCount() {
        add("pool=web state=down", 1_000);
        assertThat(lines).hasSize(ChangeLog.MAX);

        scheduler.advance(Duration.ofMinutes(1));

        assertThat(lines)
                .hasSize(ChangeLog.MAX + 1)
                .last()
                .isEqualTo("pool=web state=down msg=\"990 more changes of this kind within 10 s\" last=\"change 999\"");
    }

    @Test
    void countsKindsSeparately() {
        add("pool=web state=down", 1_000);
        add("pool=web state=up", 2);
        scheduler.advance(Duration.ofMinutes(1));
        lines.clear();

        add("pool=web state=down", 1);

        assertThat(lines).containsExactly("change 0");
    }

    private void add(String kind, int changes) {
        for (int i = 0; i < changes; i++) {
            control.changeLog().add(kind, "change " + i, lines::add);
        }
    }
}
