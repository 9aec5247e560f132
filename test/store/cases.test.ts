import { controlCases } from '../support/control-cases.ts';
import { eventLogCases } from '../support/event-log-cases.ts';
import { textCases } from '../support/text-cases.ts';
import { memoryRig, sqliteRig } from '../support/store-rigs.ts';

eventLogCases('memory', memoryRig);
eventLogCases('SQLite', sqliteRig);
textCases('memory', memoryRig);
textCases('SQLite', sqliteRig);
controlCases('memory', memoryRig);
controlCases('SQLite', sqliteRig);
