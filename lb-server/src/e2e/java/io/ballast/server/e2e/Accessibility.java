package io.ballast.server.e2e;

import com.deque.html.axecore.args.AxeRunOptions;
import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Page;
import java.util.List;
import java.util.Set;

/** Checks the accessibility of a page with axe-core. */
final class Accessibility {

    private static final Set<String> SERIOUS = Set.of("serious", "critical");

    private Accessibility() {}

    /** Returns the identifiers of the violated rules. */
    static List<String> violations(Page page) {
        return analyze(page).stream().map(Rule::getId).toList();
    }

    /** Returns the identifiers of the violated rules whose impact is serious or critical. */
    static List<String> seriousViolations(Page page) {
        return analyze(page).stream()
                .filter(rule -> SERIOUS.contains(rule.getImpact()))
                .map(Rule::getId)
                .toList();
    }

    private static List<Rule> analyze(Page page) {
        AxeRunOptions options = new AxeRunOptions();
        options.setResultTypes(List.of("violations")); // no details of passed rules
        return new AxeBuilder(page)
                .options(options)
                .setLegacyMode(true) // the page has no frames, so one call suffices
                .analyze()
                .getViolations();
    }
}
