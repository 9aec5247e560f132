import { writeOut } from './csv.js';
import { monthly, sum } from './monthly.js';

const means = monthly('temperature_c', (values) => sum(values) / values.length);
writeOut('out/temperature.json', JSON.stringify(means, null, 2));
