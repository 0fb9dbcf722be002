@NullMarked
package io.ballast.replication.limit;

import org.jspecify.annotations.NullMarked;
