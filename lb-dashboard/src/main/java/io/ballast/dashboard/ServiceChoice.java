package io.ballast.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the selection rule of a service, and the regions that it currently uses, from the explanation of
 * its answer.
 */
final class ServiceChoice {

    private static final String ROLE = "region ";

    private ServiceChoice() {}

    /** Returns the selection rule of a target; empty if it has none. */
    static String rule(@Nullable Object target) {
        Object rule = target instanceof Map<?, ?> fields ? fields.get("rule") : null;
        return rule == null ? "" : rule.toString();
    }

    /**
     * Returns the names of the regions in use; empty if the service has no regions.
     *
     * @param target part of an explanation: its role, whether it is used, and nested targets
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
