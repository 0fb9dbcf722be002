package io.ballast.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** By which rule an explained service answers, and in which regions the targets are that it answers from. */
final class ServiceChoice {

    private static final String ROLE = "region ";

    private ServiceChoice() {}

    /** Returns how the target chooses; empty if it does not say so. */
    static String rule(@Nullable Object target) {
        Object rule = target instanceof Map<?, ?> fields ? fields.get("rule") : null;
        return rule == null ? "" : rule.toString();
    }

    /**
     * Returns their names; none where no region decides.
     *
     * @param target of the explanation: its role, whether it is used, and those inside
     */
    static List<String> regions(@Nullable Object target) {
        List<String> regions = new ArrayList<>();
        collect(target, regions);
        return regions;
    }

    private static void collect(@Nullable Object target, List<String> regions) {
        if (!(target instanceof Map<?, ?> fields) || !Boolean.TRUE.equals(fields.get("used"))) {
            return;
        }
        String role = String.valueOf(fields.get("role"));
        if (role.startsWith(ROLE)) {
            regions.add(role.substring(ROLE.length()));
        }
        if (fields.get("targets") instanceof List<?> inside) {
            inside.forEach(each -> collect(each, regions));
        }
    }
}
