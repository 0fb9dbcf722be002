package io.ballast.telemetry.trace;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.common.InstrumentationLibraryInfo;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;

/**
 * A span that has ended, as the exporter reads it. Immutable.
 *
 * @param parent the context of the parent span; invalid for none
 * @param start the start of the span, in nanoseconds since 1970
 * @param end the end of the span, in nanoseconds since 1970
 */
record RecordedSpan(
        String name,
        SpanKind kind,
        SpanContext context,
        SpanContext parent,
        StatusData status,
        long start,
        long end,
        Attributes attributes,
        List<LinkData> links,
        Resource resource)
        implements SpanData {

    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("ballast");

    @Override
    public String getName() {
        return name;
    }

    @Override
    public SpanKind getKind() {
        return kind;
    }

    @Override
    public SpanContext getSpanContext() {
        return context;
    }

    @Override
    public SpanContext getParentSpanContext() {
        return parent;
    }

    @Override
    public StatusData getStatus() {
        return status;
    }

    @Override
    public long getStartEpochNanos() {
        return start;
    }

    @Override
    public Attributes getAttributes() {
        return attributes;
    }

    @Override
    public List<EventData> getEvents() {
        return List.of();
    }

    @Override
    public List<LinkData> getLinks() {
        return links;
    }

    @Override
    public long getEndEpochNanos() {
        return end;
    }

    @Override
    public boolean hasEnded() {
        return true;
    }

    @Override
    public int getTotalRecordedEvents() {
        return 0;
    }

    @Override
    public int getTotalRecordedLinks() {
        return links.size();
    }

    @Override
    public int getTotalAttributeCount() {
        return attributes.size();
    }

    @Override
    @Deprecated
    public InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
        return InstrumentationLibraryInfo.create(SCOPE.getName(), SCOPE.getVersion());
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return SCOPE;
    }

    @Override
    public Resource getResource() {
        return resource;
    }
}
