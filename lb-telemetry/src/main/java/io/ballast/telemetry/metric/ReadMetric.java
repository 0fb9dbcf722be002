package io.ballast.telemetry.metric;

import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.resources.Resource;

/** A metric with its current values, as the exporter reads it. Immutable. */
record ReadMetric(String name, String description, MetricDataType type, Data<?> data, Resource resource)
        implements MetricData {

    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("ballast");

    @Override
    public Resource getResource() {
        return resource;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return SCOPE;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getDescription() {
        return description;
    }

    /** Returns an empty unit, because the name contains the unit, as in {@code /metrics}. */
    @Override
    public String getUnit() {
        return "";
    }

    @Override
    public MetricDataType getType() {
        return type;
    }

    @Override
    public Data<?> getData() {
        return data;
    }
}
