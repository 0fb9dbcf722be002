/** Tables for spreadsheets: comma-separated values as RFC 4180 has them. */
@NullMarked
package io.ballast.dashboard.csv;

import org.jspecify.annotations.NullMarked;
