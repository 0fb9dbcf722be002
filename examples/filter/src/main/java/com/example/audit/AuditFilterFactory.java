package com.example.audit;

import io.ballast.filter.Filter;
import io.ballast.filter.FilterFactory;
import io.ballast.filter.FilterSettings;

/** Creates the filter from its settings. */
public final class AuditFilterFactory implements FilterFactory {

    /** Rejects invalid settings, so that {@code lb check} and a reload report them. */
    @Override
    public void check(FilterSettings settings) {
        settings.requireOnly("header", "blocked", "key_header", "key_paths", "consumers");
        AuditFilter.of(settings);
    }

    @Override
    public Filter create(FilterSettings settings) {
        return AuditFilter.of(settings);
    }
}
